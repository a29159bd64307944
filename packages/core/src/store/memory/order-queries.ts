import { normalPhone } from '../../contract/index.ts';
import { matchesSearch, readSearchedText } from '../search.ts';
import type { DueUnit, OrderFilter, OrderProblem, OrderStateCount, Store } from '../store.ts';
import type { HistoryEntry, ReservedOrder, StoredOrder, StoredUnit } from '../types.ts';
import type { MemoryState } from './state.ts';

const newestFirst = (a: StoredOrder, b: StoredOrder): number =>
  b.createdAt - a.createdAt || (a.orderId < b.orderId ? 1 : -1);

const isOlder = (
  order: StoredOrder,
  { createdAt, orderId }: { createdAt: number; orderId: string },
): boolean => order.createdAt < createdAt || (order.createdAt === createdAt && order.orderId < orderId);

export const matchesFilter = (order: StoredOrder, filter: OrderFilter): boolean =>
  (filter.accountId === undefined || order.accountId === filter.accountId) &&
  (filter.paymentStatus === undefined || order.paymentStatus === filter.paymentStatus) &&
  (filter.buyStatus === undefined || order.buyStatus === filter.buyStatus) &&
  (filter.gameId === undefined || order.game.id === filter.gameId) &&
  (filter.customer === undefined || normalPhone(order.contact.whatsapp) === filter.customer) &&
  (filter.from === undefined || order.createdAt >= filter.from) &&
  (filter.before === undefined || order.createdAt < filter.before) &&
  (filter.after === undefined || isOlder(order, filter.after));

const oldestReserved = ({ reserved }: MemoryState): ReservedOrder[] =>
  [...reserved.values()].sort((a, b) => a.createdAt - b.createdAt);

const unpaidOrders = (state: MemoryState): StoredOrder[] =>
  [...state.unpaid].flatMap((orderId) => state.orders.get(orderId) ?? []);

/** Returns all units with a `nextAt`. */
const timedUnits = (state: MemoryState): (DueUnit & { nextAt: number })[] =>
  [...state.delivering].flatMap((orderId) =>
    (state.units.get(orderId) ?? []).flatMap(({ unit, nextAt }) =>
      nextAt === null ? [] : [{ orderId, unit, nextAt }],
    ),
  );

/** Returns the ids of orders with a matching unit, sorted by the unit's rank and then by id. */
function ordersOfUnits(
  state: MemoryState,
  rankOf: (unit: StoredUnit, orderId: string) => number | null,
): string[] {
  const ranked = [...state.units].flatMap(([orderId, units]) => {
    const ranks = units.flatMap((unit) => rankOf(unit, orderId) ?? []);
    return ranks.length === 0 ? [] : [{ orderId, rank: Math.min(...ranks) }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank || (a.orderId < b.orderId ? -1 : 1))
    .map(({ orderId }) => orderId);
}

const isUnfunded = ({ waitsFor, nextAt }: StoredUnit): boolean => waitsFor === 'balance' && nextAt !== null;

/** Returns when an order was paid or last retried by an operator. An automatic attempt doesn't start a new delivery. */
const deliveryBegan = (history: readonly HistoryEntry[]): number =>
  history.findLast(
    ({ event, by }) => event === 'paid' || event === 'settled' || (event === 'retried' && by === 'operator'),
  )?.at ?? Number.POSITIVE_INFINITY;

function waitingSince(unit: StoredUnit, history: readonly HistoryEntry[], before: number): number | null {
  const { state, attempt, askedAt, nextAt } = unit;
  if (state === 'unknown') return 0;
  if (nextAt === null || isUnfunded(unit)) return null;
  const since = Math.min(askedAt ?? nextAt, attempt > 1 ? deliveryBegan(history) : Number.POSITIVE_INFINITY);
  return since < before ? since : null;
}

function problemOrders(state: MemoryState, problem: OrderProblem): string[] {
  switch (problem.kind) {
    case 'stuck':
      return ordersOfUnits(state, (unit, orderId) =>
        waitingSince(unit, state.history.get(orderId) ?? [], problem.before),
      );
    case 'unfunded':
      return ordersOfUnits(state, (unit) =>
        isUnfunded(unit) && unit.supplier === (problem.supplier ?? unit.supplier) ? 0 : null,
      );
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
      return oldestReserved(state)
        .filter(({ createdAt }) => createdAt < problem.before)
        .map(({ orderId }) => orderId);
  }
}

const countEach = (names: readonly string[]): Map<string, number> =>
  names.reduce((counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1), new Map<string, number>());

export const orderQueries = (state: MemoryState) =>
  ({
    findReservedOrder: async (orderId) => state.reserved.get(orderId) ?? null,
    findReservedOrders: async (limit) => oldestReserved(state).slice(0, limit),
    findOrder: async (orderId) => state.orders.get(orderId) ?? null,
    findOrders: async (orderIds) => orderIds.flatMap((orderId) => state.orders.get(orderId) ?? []),
    async findProgress(orderId) {
      const order = state.orders.get(orderId);
      if (!order) return null;
      const { accountId, expiresAt, paymentStatus, buyStatus } = order;
      return { orderId, accountId, expiresAt, paymentStatus, buyStatus };
    },
    findOrderByReference: async (reference) =>
      state.orders.get(state.references.get(reference) ?? '') ?? null,
    async findOrderByPage(reference) {
      const own = state.orders.get(state.pages.get(reference) ?? '');
      const byGateway = state.orders.get(state.references.get(reference) ?? '');
      return own ?? (byGateway?.pageReference === null ? byGateway : null);
    },
    findOrdersOfTarget: async (targetId, since) =>
      [...state.reserved.values(), ...state.orders.values()].filter(
        ({ target, createdAt }) => target.id === targetId && createdAt >= since,
      ),
    listOrders: async (filter) =>
      [...state.orders.values()]
        .filter((order) => matchesFilter(order, filter))
        .sort(newestFirst)
        .slice(0, filter.limit),
    async searchOrders({ text, limit, ...filter }) {
      const searched = readSearchedText(text);
      return [...state.orders.values()]
        .filter((order) => matchesSearch(order, searched) && matchesFilter(order, { ...filter, limit }))
        .sort(newestFirst)
        .slice(0, limit);
    },
    indexForSearch: async () => 0,
    async countOrders() {
      const counts = new Map<string, OrderStateCount>();
      for (const { paymentStatus, buyStatus } of state.orders.values()) {
        const name = `${paymentStatus} ${buyStatus}`;
        const known = counts.get(name);
        counts.set(name, { paymentStatus, buyStatus, count: (known?.count ?? 0) + 1 });
      }
      return [...counts.values()];
    },
    findUnits: async (orderId) => state.units.get(orderId) ?? [],
    findHistory: async (orderId) => state.history.get(orderId) ?? [],
    findChanges: async (after, limit) =>
      state.changes.filter(({ position }) => position > after).slice(0, limit),
    lastPosition: async () => state.lastChange,
    findOverdueOrders: async (now, limit) =>
      unpaidOrders(state)
        .filter(({ expiresAt }) => expiresAt <= now)
        .sort((a, b) => a.expiresAt - b.expiresAt)
        .slice(0, limit),
    async findPaymentsByExpiry(status, after, limit) {
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
    },
    findDueUnits: async ({ now, latest }, limit) =>
      timedUnits(state)
        .filter(({ nextAt }) => nextAt <= now || nextAt > latest)
        .sort((a, b) => a.nextAt - b.nextAt)
        .slice(0, limit)
        .map(({ orderId, unit }) => ({ orderId, unit })),
    findAttemptsBySupplierId: async (supplierId) =>
      [...state.units].flatMap(([orderId, units]) => {
        const earlier = (state.history.get(orderId) ?? []).flatMap(({ attempts = [] }) => attempts);
        return [...units, ...earlier].flatMap((bought) =>
          bought.supplierId === supplierId ? { orderId, unit: bought.unit, attempt: bought.attempt } : [],
        );
      }),
    async nextDueAt() {
      const due = [
        ...unpaidOrders(state).map(({ expiresAt }) => expiresAt),
        ...timedUnits(state).map(({ nextAt }) => nextAt),
      ];
      return due.reduce<number | null>((least, at) => (least === null || at < least ? at : least), null);
    },
    countOpenWork: async () => ({
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
    }),
    findProblemOrders: async (problem, limit) => problemOrders(state, problem).slice(0, limit),
  }) satisfies Partial<Store>;
