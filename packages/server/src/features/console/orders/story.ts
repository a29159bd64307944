import { readReconciliations } from '@topup-kit/core/engine';
import type {
  HistoryEntry,
  Reconciliation,
  Refund,
  Store,
  StoredCallback,
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
  /** The newest first. */
  callbacks: readonly StoredCallback[];
  /** What rooms have of it. */
  notes: readonly OrderNote[];
}

/** How many callbacks are read at most: a provider may send the same for days. */
const most = 50;

/** Reads an order with all that belongs to it; null when there is none. */
export async function readStory(store: Store, orderId: string): Promise<OrderStory | null> {
  const order = await store.findOrder(orderId);
  if (!order) return null;
  const [history, units, refunds, reconciliations, callbacks, notes] = await Promise.all([
    store.findHistory(orderId),
    store.findUnits(orderId),
    store.findRefunds(orderId),
    readReconciliations(store, order),
    store.listCallbacks({ orderId, limit: most }),
    Promise.all(Object.values(orderNotes).map((read) => read(store, orderId))),
  ]);
  return { order, history, units, refunds, reconciliations, callbacks, notes: notes.flat() };
}
