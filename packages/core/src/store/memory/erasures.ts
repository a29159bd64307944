import { erasedEntry, erasedOrder, erasedUnit, withoutNames } from '../erasure.ts';
import { done, type EraseOrder, type Erasure, type RoomErasure, type Store } from '../store.ts';
import type { StoredOrder } from '../types.ts';
import { renameCustomer } from './promo-uses.ts';
import type { MemoryState } from './state.ts';

/** Replaces the matching records, and returns their number. */
function replace<Key, Item>(
  records: Map<Key, Item>,
  isWanted: (item: Item) => boolean,
  change: (item: Item) => Item,
): number {
  const wanted = [...records].filter(([, item]) => isWanted(item));
  for (const [key, item] of wanted) records.set(key, change(item));
  return wanted.length;
}

/** Adds up the numbers of erased records. */
export function countErased(
  state: MemoryState,
  { at, by }: EraseOrder['erasure'],
  ...more: readonly Partial<Omit<Erasure, 'at' | 'by'>>[]
): void {
  const isSame = (erasure: Erasure): boolean => erasure.at === at && erasure.by === by;
  const all = [...state.erasures.filter(isSame), ...more];
  const sum = (name: 'orders' | 'callbacks' | 'events'): number =>
    all.reduce((total, counts) => total + (counts[name] ?? 0), 0);
  const counted = { at, by, orders: sum('orders'), callbacks: sum('callbacks'), events: sum('events') };
  state.erasures = [...state.erasures.filter((erasure) => !isSame(erasure)), counted];
}

function eraseOrder(
  state: MemoryState,
  order: StoredOrder,
  { customerHash, erasure }: EraseOrder,
  eraseRooms: (orderId: string) => RoomErasure[],
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
  countErased(state, erasure, { orders: 1 }, ...eraseRooms(orderId));
}

/** Creates the commands that erase personal data. `eraseRooms` erases an order's data in the rooms. */
export const erasures = (state: MemoryState, eraseRooms: (orderId: string) => RoomErasure[]) =>
  ({
    async eraseOrder(erase) {
      const order = state.orders.get(erase.orderId);
      if (!order) return { conflict: 'order_missing' };
      if (order.version !== erase.version) return { conflict: 'order_changed' };
      eraseOrder(state, order, erase, eraseRooms);
      return done;
    },
    listErasures: async () => [...state.erasures].sort((a, b) => b.at - a.at),
    findCustomerSecret: async () => state.customerSecret,
    async setCustomerSecret(secret, known) {
      if (state.customerSecret === known) state.customerSecret = secret;
      return state.customerSecret ?? secret;
    },
  }) satisfies Partial<Store>;
