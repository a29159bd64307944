import { readReconciliations } from '@topup-kit/core/engine';
import type {
  HistoryEntry,
  Reconciliation,
  Refund,
  Store,
  StoredOrder,
  StoredUnit,
} from '@topup-kit/core/store';
import { orderNotes } from '../additions.ts';
import type { OrderNote } from './note.ts';

export interface OrderStory {
  order: StoredOrder;
  history: readonly HistoryEntry[];
  units: readonly StoredUnit[];
  refunds: readonly Refund[];
  reconciliations: readonly Reconciliation[];
  /** Entries that rooms add. */
  notes: readonly OrderNote[];
}

/** Reads an order with all of its records; null if it is not found. */
export async function readStory(store: Store, orderId: string): Promise<OrderStory | null> {
  const order = await store.findOrder(orderId);
  if (!order) return null;
  const [history, units, refunds, reconciliations, notes] = await Promise.all([
    store.findHistory(orderId),
    store.findUnits(orderId),
    store.findRefunds(orderId),
    readReconciliations(store, order),
    Promise.all(Object.values(orderNotes).map((read) => read(store, order))),
  ]);
  return { order, history, units, refunds, reconciliations, notes: notes.flat() };
}
