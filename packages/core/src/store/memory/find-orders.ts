import type { DueUnit, OrderFilter } from '../store.ts';
import type { ReservedOrder, StoredOrder } from '../types/order.ts';
import type { State } from './state.ts';

const newestFirst = (a: StoredOrder, b: StoredOrder): number =>
  b.createdAt - a.createdAt || (a.orderId < b.orderId ? 1 : -1);

const isOlder = (
  order: StoredOrder,
  { createdAt, orderId }: { createdAt: number; orderId: string },
): boolean => order.createdAt < createdAt || (order.createdAt === createdAt && order.orderId < orderId);

const matches = (order: StoredOrder, filter: OrderFilter): boolean =>
  (filter.accountId === undefined || order.accountId === filter.accountId) &&
  (filter.paymentStatus === undefined || order.paymentStatus === filter.paymentStatus) &&
  (filter.buyStatus === undefined || order.buyStatus === filter.buyStatus) &&
  (filter.gameId === undefined || order.game.id === filter.gameId) &&
  (filter.after === undefined || isOlder(order, filter.after));

export const listOrders = (state: State, filter: OrderFilter): StoredOrder[] =>
  [...state.orders.values()]
    .filter((order) => matches(order, filter))
    .sort(newestFirst)
    .slice(0, filter.limit);

export const findReservedOrders = (state: State, limit: number): ReservedOrder[] =>
  [...state.reserved.values()].sort((a, b) => a.createdAt - b.createdAt).slice(0, limit);

const unpaidOrders = (state: State): StoredOrder[] =>
  [...state.unpaid].flatMap((orderId) => state.orders.get(orderId) ?? []);

export const findOverdueOrders = (state: State, now: number, limit: number): StoredOrder[] =>
  unpaidOrders(state)
    .filter(({ expiresAt }) => expiresAt <= now)
    .sort((a, b) => a.expiresAt - b.expiresAt)
    .slice(0, limit);

/** Every unit that has a next time. */
const timedUnits = (state: State): (DueUnit & { nextAt: number })[] =>
  [...state.delivering].flatMap((orderId) =>
    (state.units.get(orderId) ?? []).flatMap(({ unit, nextAt }) =>
      nextAt === null ? [] : [{ orderId, unit, nextAt }],
    ),
  );

export const findDueUnits = (state: State, now: number, limit: number): DueUnit[] =>
  timedUnits(state)
    .filter(({ nextAt }) => nextAt <= now)
    .sort((a, b) => a.nextAt - b.nextAt)
    .slice(0, limit)
    .map(({ orderId, unit }) => ({ orderId, unit }));

export function nextDueAt(state: State): number | null {
  const moments = [
    ...unpaidOrders(state).map(({ expiresAt }) => expiresAt),
    ...timedUnits(state).map(({ nextAt }) => nextAt),
  ];
  return moments.reduce<number | null>((least, at) => (least === null || at < least ? at : least), null);
}
