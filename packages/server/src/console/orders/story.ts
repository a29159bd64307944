import { readReconciliations } from '@topup-kit/core/engine';
import type {
  HistoryEntry,
  Reconciliation,
  Refund,
  Store,
  StoredCallback,
  StoredOrder,
  StoredUnit,
  WebhookDelivery,
  WebhookEvent,
} from '@topup-kit/core/store';

/** An event of an order, and where it was sent. */
export interface SentEvent {
  event: WebhookEvent;
  deliveries: readonly WebhookDelivery[];
}

/** All that a store keeps of an order. */
export interface OrderStory {
  order: StoredOrder;
  history: readonly HistoryEntry[];
  units: readonly StoredUnit[];
  refunds: readonly Refund[];
  reconciliations: readonly Reconciliation[];
  /** The newest first. */
  callbacks: readonly StoredCallback[];
  events: readonly SentEvent[];
}

/** How many callbacks and deliveries of events are read at most: a provider may send the same for days. */
const most = 50;

/** The events of deliveries, which are deleted after a while. */
async function readEvents(store: Store, deliveries: readonly WebhookDelivery[]): Promise<SentEvent[]> {
  const ids = [...new Set(deliveries.map(({ eventId }) => eventId))];
  const events = await Promise.all(ids.map((eventId) => store.findWebhookEvent(eventId)));
  return events.flatMap((event) =>
    event === null
      ? []
      : [{ event, deliveries: deliveries.filter(({ eventId }) => eventId === event.eventId) }],
  );
}

/** Reads an order with all that belongs to it; null when there is none. */
export async function readStory(store: Store, orderId: string): Promise<OrderStory | null> {
  const order = await store.findOrder(orderId);
  if (!order) return null;
  const [history, units, refunds, reconciliations, callbacks, deliveries] = await Promise.all([
    store.findHistory(orderId),
    store.findUnits(orderId),
    store.findRefunds(orderId),
    readReconciliations(store, order),
    store.listCallbacks({ orderId, limit: most }),
    store.listWebhookDeliveries({ orderId, limit: most }),
  ]);
  const events = await readEvents(store, deliveries);
  return { order, history, units, refunds, reconciliations, callbacks, events };
}
