import { activityOfChange } from '../activity.ts';
import {
  type ChangeOrder,
  done,
  type IdempotentResponse,
  type ReserveOrder,
  type ReserveOrderConflict,
  type Store,
} from '../store.ts';
import type { HistoryEntry, Reconciliation, ReservedOrder, StoredOrder, StoredUnit } from '../types.ts';
import { claimConflict, claimUse, reclaimUse, releaseUse } from './promo-uses.ts';
import { addActivity, type MemoryState } from './state.ts';

const responseKey = ({ accountId, key }: Pick<IdempotentResponse, 'accountId' | 'key'>): string =>
  `${accountId}\n${key}`;

/** Returns the key of an unpaid order's total with a unique code, which identifies the payment; null for any other order. */
const uniqueTotal = ({ paymentStatus, paymentMethod, pricing }: ReservedOrder): string | null =>
  paymentStatus === 'UNPAID' && pricing.unique_code > 0
    ? `${paymentMethod.id}\n${pricing.total_price}`
    : null;

function takenConflict(
  state: MemoryState,
  { order, promo, response }: ReserveOrder,
): ReserveOrderConflict | null {
  const stored = response && state.responses.get(responseKey(response));
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
  if (response) state.responses.set(responseKey(response), response);
}

function addChange(
  state: MemoryState,
  { orderId, version }: Pick<StoredOrder, 'orderId' | 'version'>,
  entry: HistoryEntry | null,
): void {
  state.lastChange += 1;
  state.changes.push({ position: state.lastChange, orderId, version, entry });
}

function insert(state: MemoryState, order: StoredOrder): void {
  state.orders.set(order.orderId, order);
  state.references.set(order.payment.reference, order.orderId);
  if (order.paymentStatus === 'UNPAID') state.unpaid.add(order.orderId);
  addChange(state, order, null);
}

/** Returns the idempotency key of a reserved order, which has no response yet. */
const reservedResponse = (state: MemoryState, orderId: string): IdempotentResponse | undefined =>
  [...state.responses.values()].find((response) => response.orderId === orderId);

function storeUnits(state: MemoryState, orderId: string, changed: readonly StoredUnit[]): void {
  if (changed.length === 0) return;
  const units = new Map((state.units.get(orderId) ?? []).map((unit) => [unit.unit, unit]));
  for (const unit of changed) units.set(unit.unit, unit);
  const all = [...units.values()].sort((a, b) => a.unit - b.unit);
  state.units.set(orderId, all);
  if (all.some(({ nextAt }) => nextAt !== null)) state.delivering.add(orderId);
  else state.delivering.delete(orderId);
}

/** Removes a paid or closed order from the indexes of unpaid orders: it can't expire, and another order may use its total. */
function leaveUnpaid(state: MemoryState, before: StoredOrder, { orderId, to }: ChangeOrder): void {
  if (to.paymentStatus === 'UNPAID') return;
  state.unpaid.delete(orderId);
  const total = uniqueTotal(before);
  if (total !== null) state.uniqueTotals.delete(total);
}

function openReconciliation(state: MemoryState, id: string, orderId: string): Reconciliation | undefined {
  const payment = state.reconciliations.get(id);
  return payment?.state === 'open' && (payment.orderId ?? orderId) === orderId ? payment : undefined;
}

export const orders = (state: MemoryState) =>
  ({
    async placeOrder(command) {
      const conflict = takenConflict(state, command);
      if (conflict) return conflict;
      if (state.references.has(command.order.payment.reference)) return { conflict: 'reference_taken' };
      claimAll(state, command);
      insert(state, command.order);
      return done;
    },
    async reserveOrder(command) {
      const conflict = takenConflict(state, command);
      if (conflict) return conflict;
      claimAll(state, command);
      state.reserved.set(command.order.orderId, command.order);
      return done;
    },
    async finaliseOrder({ orderId, payment, response: rendered }) {
      const order = state.reserved.get(orderId);
      if (!order) return { conflict: 'order_missing' };
      if (state.references.has(payment.reference)) return { conflict: 'reference_taken' };
      const response = reservedResponse(state, orderId);
      if (response && rendered) state.responses.set(responseKey(response), { ...response, ...rendered });
      else if (response) state.responses.delete(responseKey(response));
      state.reserved.delete(orderId);
      insert(state, { ...order, payment });
      return done;
    },
    async abandonOrder(orderId) {
      const order = state.reserved.get(orderId);
      if (!order) return { conflict: 'order_missing' };
      const response = reservedResponse(state, orderId);
      if (response) state.responses.delete(responseKey(response));
      const total = uniqueTotal(order);
      if (total !== null) state.uniqueTotals.delete(total);
      if (order.pageReference !== null) state.pages.delete(order.pageReference);
      releaseUse(state, orderId);
      state.claims.delete(orderId);
      state.reserved.delete(orderId);
      return done;
    },
    async changeOrder(command) {
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
        addChange(state, { orderId, version: version + 1 }, entry);
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
      if (entry?.by === 'operator') addActivity(state, [activityOfChange(orderId, entry)]);
      return done;
    },
    findIdempotentResponse: async (accountId, key) =>
      state.responses.get(responseKey({ accountId, key })) ?? null,
    async dropIdempotentResponses(now, limit) {
      let dropped = 0;
      for (const [key, stored] of state.responses) {
        if (dropped === limit) break;
        if (!stored.body || stored.expiresAt > now) continue;
        state.responses.set(key, { ...stored, body: '', locale: null, expiresAt: 0 });
        dropped += 1;
      }
      return dropped;
    },
    findTakenTotals: async (paymentMethodId, lowest, highest) =>
      [...state.uniqueTotals.keys()].flatMap((taken) => {
        const [methodId, total] = taken.split('\n').map(Number);
        return methodId === paymentMethodId && total !== undefined && total >= lowest && total <= highest
          ? [total]
          : [];
      }),
  }) satisfies Partial<Store>;
