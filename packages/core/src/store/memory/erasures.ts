import { erasedCallback, erasedEntry, erasedOrder, erasedUnit, hasPhone, withoutNames } from '../erasure.ts';
import { done, type EraseOrder, type Erasure, type Store } from '../store.ts';
import type { StoredCallback, StoredOrder } from '../types.ts';
import { renameCustomer } from './promo-uses.ts';
import type { MemoryState } from './state.ts';

/** Replaces the records that are wanted; returns how many. */
function replace<Key, Item>(
  records: Map<Key, Item>,
  isWanted: (item: Item) => boolean,
  change: (item: Item) => Item,
): number {
  const wanted = [...records].filter(([, item]) => isWanted(item));
  for (const [key, item] of wanted) records.set(key, change(item));
  return wanted.length;
}

const eraseCallbacks = (state: MemoryState, isWanted: (callback: StoredCallback) => boolean): number =>
  replace(state.callbacks, isWanted, erasedCallback);

function count(
  state: MemoryState,
  { at, by }: EraseOrder['erasure'],
  more: Pick<Erasure, 'orders' | 'callbacks' | 'events'>,
): void {
  const isSame = (one: Erasure): boolean => one.at === at && one.by === by;
  const known = state.erasures.find(isSame) ?? { at, by, orders: 0, callbacks: 0, events: 0 };
  const counted = {
    ...known,
    orders: known.orders + more.orders,
    callbacks: known.callbacks + more.callbacks,
    events: known.events + more.events,
  };
  state.erasures = [...state.erasures.filter((one) => !isSame(one)), counted];
}

function eraseOrder(
  state: MemoryState,
  order: StoredOrder,
  { customerHash, erasure }: EraseOrder,
  eraseEvents: (orderId: string) => number,
): void {
  const { orderId } = order;
  const isOfOrder = (of: { orderId: string | null }): boolean => of.orderId === orderId;
  state.orders.set(orderId, { ...erasedOrder(order), version: order.version + 1 });
  state.units.set(orderId, (state.units.get(orderId) ?? []).map(erasedUnit));
  state.history.set(orderId, (state.history.get(orderId) ?? []).map(erasedEntry));
  state.changes = state.changes.map((change) =>
    isOfOrder(change) && change.entry ? { ...change, entry: erasedEntry(change.entry) } : change,
  );
  replace(state.refunds, isOfOrder, (refund) => ({
    ...refund,
    note: null,
    reference: withoutNames(refund.reference, order),
  }));
  replace(state.reconciliations, isOfOrder, (payment) => ({
    ...payment,
    note: withoutNames(payment.note, order),
  }));
  renameCustomer(state, orderId, customerHash);
  const callbacks = eraseCallbacks(state, isOfOrder);
  count(state, erasure, { orders: 1, callbacks, events: eraseEvents(orderId) });
}

/** What erases personal data; `eraseEvents` erases what the rooms have of an order. */
export const erasures = (state: MemoryState, eraseEvents: (orderId: string) => number) =>
  ({
    async eraseOrder(erase) {
      const order = state.orders.get(erase.orderId);
      if (!order) return { conflict: 'order_missing' };
      if (order.version !== erase.version) return { conflict: 'order_changed' };
      eraseOrder(state, order, erase, eraseEvents);
      return done;
    },
    findStrayCallbacks: async (digits) =>
      [...state.callbacks.values()]
        .filter(({ orderId, body }) => orderId === null && hasPhone(body, digits))
        .map(({ callbackId }) => callbackId),
    async eraseCallbacks(callbackIds, erasure) {
      const callbacks = eraseCallbacks(state, ({ callbackId }) => callbackIds.includes(callbackId));
      count(state, erasure, { orders: 0, callbacks, events: 0 });
      return done;
    },
    listErasures: async () => [...state.erasures].sort((a, b) => b.at - a.at),
    findCustomerSecret: async () => state.customerSecret,
    async setCustomerSecret(secret, known) {
      if (state.customerSecret === known) state.customerSecret = secret;
      return state.customerSecret ?? secret;
    },
  }) satisfies Partial<Store>;
