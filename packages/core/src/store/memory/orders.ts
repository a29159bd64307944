import { normalPhone } from '../../contract/index.ts';
import {
  type ChangeOrder,
  type Conflict,
  type Done,
  type DueMoment,
  type DueUnit,
  done,
  type ExpiringPayment,
  type FinaliseOrder,
  type IdempotentResponse,
  type OpenWork,
  type OrderFilter,
  type OrderProblem,
  type OrdersInState,
  type PlaceOrder,
  type PlaceOrderConflict,
  type PromoClaim,
  type PromoUses,
  type ReserveOrder,
  type ReserveOrderConflict,
} from '../store.ts';
import type {
  OrderProgress,
  Promo,
  Reconciliation,
  ReservedOrder,
  StoredOrder,
  StoredUnit,
} from '../types.ts';
import type { MemoryState } from './state.ts';

const customerKey = ({ code, customer }: Pick<PromoClaim, 'code' | 'customer'>): string =>
  `${code}\n${customer}`;

const uses = (state: MemoryState, key: string): number => state.uses.get(key) ?? 0;

export const countUses = (state: MemoryState, code: string, customer: string): PromoUses => ({
  total: uses(state, code),
  byCustomer: uses(state, customerKey({ code, customer })),
});

function addUses(state: MemoryState, claim: PromoClaim, count: 1 | -1): void {
  for (const key of [claim.code, customerKey(claim)]) state.uses.set(key, uses(state, key) + count);
}

function hasRoom(state: MemoryState, code: string): boolean {
  const quota = state.promos.get(code)?.quota ?? null;
  return quota === null || uses(state, code) < quota;
}

function claimConflict(
  state: MemoryState,
  claim: PromoClaim | null,
): Conflict<'promo_exhausted' | 'promo_used'> | null {
  if (!claim) return null;
  if (!hasRoom(state, claim.code)) return { conflict: 'promo_exhausted' };
  if (claim.perCustomer !== null && uses(state, customerKey(claim)) >= claim.perCustomer)
    return { conflict: 'promo_used' };
  return null;
}

function claimUse(state: MemoryState, orderId: string, claim: PromoClaim | null): void {
  if (!claim) return;
  state.claims.set(orderId, { ...claim, released: false });
  addUses(state, claim, 1);
}

function releaseUse(state: MemoryState, orderId: string): void {
  const claim = state.claims.get(orderId);
  if (!claim || claim.released) return;
  state.claims.set(orderId, { ...claim, released: true });
  addUses(state, claim, -1);
}

function reclaimUse(state: MemoryState, orderId: string): void {
  const claim = state.claims.get(orderId);
  if (!claim?.released || !hasRoom(state, claim.code)) return;
  state.claims.set(orderId, { ...claim, released: false });
  addUses(state, claim, 1);
}

/** The first promo whose new quota is below its uses so far. */
export function quotaConflict(
  state: MemoryState,
  promos: readonly Promo[],
): { conflict: 'promo_quota_below_uses'; code: string; uses: number } | null {
  for (const { code, quota } of promos) {
    const used = uses(state, code);
    if (quota !== null && used > quota) return { conflict: 'promo_quota_below_uses', code, uses: used };
  }
  return null;
}

export const responseKey = (accountId: string, key: string): string => `${accountId}\n${key}`;

/** Key of the total of an unpaid order with a unique code, by which its payment is recognised. */
const uniqueTotal = ({ paymentStatus, paymentMethod, pricing }: ReservedOrder): string | null =>
  paymentStatus === 'UNPAID' && pricing.unique_code > 0
    ? `${paymentMethod.id}\n${pricing.total_price}`
    : null;

export const findTakenTotals = (
  state: MemoryState,
  paymentMethodId: number,
  lowest: number,
  highest: number,
): number[] =>
  [...state.uniqueTotals.keys()].flatMap((taken) => {
    const [methodId, total] = taken.split('\n').map(Number);
    return methodId === paymentMethodId && total !== undefined && total >= lowest && total <= highest
      ? [total]
      : [];
  });

function responseInUse(
  state: MemoryState,
  response: IdempotentResponse | null,
  now: number,
): IdempotentResponse | undefined {
  const stored = response && state.responses.get(responseKey(response.accountId, response.key));
  return stored && stored.expiresAt > now ? stored : undefined;
}

function takenConflict(
  state: MemoryState,
  { order, promo, response }: ReserveOrder,
): ReserveOrderConflict | null {
  const stored = responseInUse(state, response, order.createdAt);
  if (stored) return { conflict: 'idempotency_conflict', stored };
  const { orderId, pageReference } = order;
  if (state.orders.has(orderId) || state.reserved.has(orderId)) return { conflict: 'order_id_taken' };
  if (pageReference !== null && state.pages.has(pageReference)) return { conflict: 'order_id_taken' };
  const total = uniqueTotal(order);
  if (total !== null && state.uniqueTotals.has(total)) return { conflict: 'code_taken' };
  return claimConflict(state, promo);
}

function claimAll(state: MemoryState, { order, promo, response }: ReserveOrder): void {
  const total = uniqueTotal(order);
  if (total !== null) state.uniqueTotals.set(total, order.orderId);
  if (order.pageReference !== null) state.pages.set(order.pageReference, order.orderId);
  claimUse(state, order.orderId, promo);
  if (response) state.responses.set(responseKey(response.accountId, response.key), response);
}

function insert(state: MemoryState, order: StoredOrder): void {
  state.orders.set(order.orderId, order);
  state.references.set(order.payment.reference, order.orderId);
  if (order.paymentStatus === 'UNPAID') state.unpaid.add(order.orderId);
}

export function storeOrder(state: MemoryState, command: PlaceOrder): Done | PlaceOrderConflict {
  const conflict = takenConflict(state, command);
  if (conflict) return conflict;
  if (state.references.has(command.order.payment.reference)) return { conflict: 'reference_taken' };
  claimAll(state, command);
  insert(state, command.order);
  return done;
}

export function reserveOrder(state: MemoryState, command: ReserveOrder): Done | ReserveOrderConflict {
  const conflict = takenConflict(state, command);
  if (conflict) return conflict;
  claimAll(state, command);
  state.reserved.set(command.order.orderId, command.order);
  return done;
}

/** The idempotency key of a reserved order, which has no response yet. */
function reservedResponse(state: MemoryState, orderId: string): [string, IdempotentResponse] | undefined {
  return [...state.responses].find(([, response]) => response.orderId === orderId);
}

export function finaliseOrder(
  state: MemoryState,
  { orderId, payment, response: rendered }: FinaliseOrder,
): Done | Conflict<'order_missing' | 'reference_taken'> {
  const order = state.reserved.get(orderId);
  if (!order) return { conflict: 'order_missing' };
  if (state.references.has(payment.reference)) return { conflict: 'reference_taken' };
  const [key, response] = reservedResponse(state, orderId) ?? [];
  if (key !== undefined && response) {
    if (rendered === null) state.responses.delete(key);
    else state.responses.set(key, { ...response, ...rendered });
  }
  state.reserved.delete(orderId);
  insert(state, { ...order, payment });
  return done;
}

export function abandonOrder(state: MemoryState, orderId: string): Done | Conflict<'order_missing'> {
  const order = state.reserved.get(orderId);
  if (!order) return { conflict: 'order_missing' };
  const [key] = reservedResponse(state, orderId) ?? [];
  if (key !== undefined) state.responses.delete(key);
  const total = uniqueTotal(order);
  if (total !== null) state.uniqueTotals.delete(total);
  if (order.pageReference !== null) state.pages.delete(order.pageReference);
  releaseUse(state, orderId);
  state.claims.delete(orderId);
  state.reserved.delete(orderId);
  return done;
}

function storeUnits(state: MemoryState, orderId: string, changed: readonly StoredUnit[]): void {
  if (changed.length === 0) return;
  const units = new Map((state.units.get(orderId) ?? []).map((unit) => [unit.unit, unit]));
  for (const unit of changed) units.set(unit.unit, unit);
  const all = [...units.values()].sort((a, b) => a.unit - b.unit);
  state.units.set(orderId, all);
  if (all.some(({ nextAt }) => nextAt !== null)) state.delivering.add(orderId);
  else state.delivering.delete(orderId);
}

/** An order that is no longer unpaid can't expire, and another order may have its total. */
function leaveUnpaid(state: MemoryState, before: StoredOrder, { orderId, to }: ChangeOrder): void {
  if (to.paymentStatus === 'UNPAID') return;
  state.unpaid.delete(orderId);
  const total = uniqueTotal(before);
  if (total !== null) state.uniqueTotals.delete(total);
}

function openReconciliation(state: MemoryState, id: string, orderId: string): Reconciliation | undefined {
  const found = state.reconciliations.get(id);
  return found?.state === 'open' && (found.orderId ?? orderId) === orderId ? found : undefined;
}

export function changeOrder(
  state: MemoryState,
  command: ChangeOrder,
): Done | Conflict<'order_missing' | 'order_changed'> {
  const { orderId, version, to, entry, promo, units, serialNumber, settles, refunds } = command;
  const before = state.orders.get(orderId);
  if (!before) return { conflict: 'order_missing' };
  const settled = settles.flatMap((id) => openReconciliation(state, id, orderId) ?? []);
  if (before.version !== version || settled.length < settles.length) return { conflict: 'order_changed' };
  leaveUnpaid(state, before, command);
  state.orders.set(orderId, {
    ...before,
    paymentStatus: to.paymentStatus,
    buyStatus: to.buyStatus,
    serialNumber,
    version: version + 1,
  });
  storeUnits(state, orderId, units);
  if (entry) {
    state.history.set(orderId, [...(state.history.get(orderId) ?? []), entry]);
    state.lastChange += 1;
    state.changes.push({ position: state.lastChange, orderId, entry });
  }
  if (promo === 'release') releaseUse(state, orderId);
  if (promo === 'reclaim') reclaimUse(state, orderId);
  for (const reconciliation of settled)
    state.reconciliations.set(reconciliation.reconciliationId, {
      ...reconciliation,
      orderId,
      state: 'settled',
      closedAt: entry?.at ?? null,
      closedBy: entry?.operator ?? null,
    });
  for (const refund of refunds) state.refunds.set(refund.refundId, refund);
  return done;
}

const newestFirst = (a: StoredOrder, b: StoredOrder): number =>
  b.createdAt - a.createdAt || (a.orderId < b.orderId ? 1 : -1);

const isOlder = (
  order: StoredOrder,
  { createdAt, orderId }: { createdAt: number; orderId: string },
): boolean => order.createdAt < createdAt || (order.createdAt === createdAt && order.orderId < orderId);

/** Whether an order is one of those that a filter means. */
export const matchesFilter = (order: StoredOrder, filter: OrderFilter): boolean =>
  (filter.accountId === undefined || order.accountId === filter.accountId) &&
  (filter.paymentStatus === undefined || order.paymentStatus === filter.paymentStatus) &&
  (filter.buyStatus === undefined || order.buyStatus === filter.buyStatus) &&
  (filter.gameId === undefined || order.game.id === filter.gameId) &&
  (filter.customer === undefined || normalPhone(order.contact.whatsapp) === filter.customer) &&
  (filter.from === undefined || order.createdAt >= filter.from) &&
  (filter.before === undefined || order.createdAt < filter.before) &&
  (filter.after === undefined || isOlder(order, filter.after));

export const listOrders = (state: MemoryState, filter: OrderFilter): StoredOrder[] =>
  [...state.orders.values()]
    .filter((order) => matchesFilter(order, filter))
    .sort(newestFirst)
    .slice(0, filter.limit);

export function countOrders({ orders }: MemoryState): OrdersInState[] {
  const counts = new Map<string, OrdersInState>();
  for (const { paymentStatus, buyStatus } of orders.values()) {
    const name = `${paymentStatus} ${buyStatus}`;
    const known = counts.get(name);
    counts.set(name, { paymentStatus, buyStatus, count: (known?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

export function findProgress(state: MemoryState, orderId: string): OrderProgress | null {
  const order = state.orders.get(orderId);
  if (!order) return null;
  const { accountId, expiresAt, paymentStatus, buyStatus } = order;
  return { orderId, accountId, expiresAt, paymentStatus, buyStatus };
}

export const findReservedOrders = (state: MemoryState, limit: number): ReservedOrder[] =>
  [...state.reserved.values()].sort((a, b) => a.createdAt - b.createdAt).slice(0, limit);

export const findOrdersOfTarget = (state: MemoryState, targetId: string, since: number): ReservedOrder[] =>
  [...state.reserved.values(), ...state.orders.values()].filter(
    ({ target, createdAt }) => target.id === targetId && createdAt >= since,
  );

const unpaidOrders = (state: MemoryState): StoredOrder[] =>
  [...state.unpaid].flatMap((orderId) => state.orders.get(orderId) ?? []);

export const findOverdueOrders = (state: MemoryState, now: number, limit: number): StoredOrder[] =>
  unpaidOrders(state)
    .filter(({ expiresAt }) => expiresAt <= now)
    .sort((a, b) => a.expiresAt - b.expiresAt)
    .slice(0, limit);

export function findPaymentsByExpiry(
  state: MemoryState,
  status: 'UNPAID' | 'EXPIRED',
  after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>,
  limit: number,
): ExpiringPayment[] {
  const orders = status === 'UNPAID' ? unpaidOrders(state) : [...state.orders.values()];
  return orders
    .filter(
      ({ paymentStatus, expiresAt, orderId }) =>
        paymentStatus === status &&
        (expiresAt > after.expiresAt || (expiresAt === after.expiresAt && orderId > after.orderId)),
    )
    .sort((a, b) => a.expiresAt - b.expiresAt || (a.orderId < b.orderId ? -1 : 1))
    .slice(0, limit)
    .map(({ orderId, createdAt, expiresAt }) => ({ orderId, createdAt, expiresAt }));
}

/** The ids of the orders with a unit that is chosen; a unit's rank decides the order, then the id. */
function ordersOfUnits(state: MemoryState, rankOf: (unit: StoredUnit) => number | null): string[] {
  const found = [...state.units].flatMap(([orderId, units]) => {
    const ranks = units.flatMap((unit) => rankOf(unit) ?? []);
    return ranks.length === 0 ? [] : [{ orderId, rank: Math.min(...ranks) }];
  });
  return found
    .sort((a, b) => a.rank - b.rank || (a.orderId < b.orderId ? -1 : 1))
    .map(({ orderId }) => orderId);
}

const isUnfunded = ({ waitsFor, nextAt }: StoredUnit): boolean => waitsFor === 'balance' && nextAt !== null;

function waitingSince(unit: StoredUnit, before: number): number | null {
  const { state, askedAt, nextAt } = unit;
  if (state === 'unknown') return 0;
  if (isUnfunded(unit)) return null;
  const since = nextAt === null ? null : (askedAt ?? nextAt);
  return since !== null && since < before ? since : null;
}

function problemOrders(state: MemoryState, problem: OrderProblem): string[] {
  switch (problem.kind) {
    case 'stuck':
      return ordersOfUnits(state, (unit) => waitingSince(unit, problem.before));
    case 'unfunded':
      return ordersOfUnits(state, (unit) => (isUnfunded(unit) ? 0 : null));
    case 'contradicted':
      return ordersOfUnits(state, ({ contradiction }) => (contradiction === null ? null : 0));
    case 'failed': {
      const contradicted = new Set(problemOrders(state, { kind: 'contradicted' }));
      return [...state.orders.values()]
        .filter(({ paymentStatus, buyStatus }) => paymentStatus === 'PAID' && buyStatus === 'Gagal')
        .map(({ orderId }) => orderId)
        .filter((orderId) => !contradicted.has(orderId));
    }
    case 'reserved':
      return findReservedOrders(state, state.reserved.size)
        .filter(({ createdAt }) => createdAt < problem.before)
        .map(({ orderId }) => orderId);
  }
}

export const findProblemOrders = (state: MemoryState, problem: OrderProblem, limit: number): string[] =>
  problemOrders(state, problem).slice(0, limit);

/** Every unit that has a `nextAt`. */
const timedUnits = (state: MemoryState): (DueUnit & { nextAt: number })[] =>
  [...state.delivering].flatMap((orderId) =>
    (state.units.get(orderId) ?? []).flatMap(({ unit, nextAt }) =>
      nextAt === null ? [] : [{ orderId, unit, nextAt }],
    ),
  );

export const findDueUnits = (state: MemoryState, { now, latest }: DueMoment, limit: number): DueUnit[] =>
  timedUnits(state)
    .filter(({ nextAt }) => nextAt <= now || nextAt > latest)
    .sort((a, b) => a.nextAt - b.nextAt)
    .slice(0, limit)
    .map(({ orderId, unit }) => ({ orderId, unit }));

export function findOrderByPage(state: MemoryState, reference: string): StoredOrder | null {
  const own = state.orders.get(state.pages.get(reference) ?? '');
  const other = state.orders.get(state.references.get(reference) ?? '');
  return own ?? (other?.pageReference === null ? other : null);
}

export const findUnitsBySupplierId = (state: MemoryState, supplierId: string): DueUnit[] =>
  [...state.units].flatMap(([orderId, units]) =>
    units.flatMap((one) => (one.supplierId === supplierId ? { orderId, unit: one.unit } : [])),
  );

const countEach = (names: readonly string[]): Map<string, number> =>
  names.reduce((counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1), new Map<string, number>());

export const countOpenWork = (state: MemoryState): OpenWork => ({
  payments: countEach(
    [...unpaidOrders(state), ...state.reserved.values()].flatMap(({ gateway }) => gateway ?? []),
  ),
  deliveries: countEach(
    [...state.units.values()]
      .flat()
      .flatMap(({ state, nextAt, supplier }) =>
        nextAt !== null && state !== 'waiting' && supplier !== null ? supplier : [],
      ),
  ),
});

export function nextDueAt(state: MemoryState): number | null {
  const moments = [
    ...unpaidOrders(state).map(({ expiresAt }) => expiresAt),
    ...timedUnits(state).map(({ nextAt }) => nextAt),
  ];
  return moments.reduce<number | null>((least, at) => (least === null || at < least ? at : least), null);
}
