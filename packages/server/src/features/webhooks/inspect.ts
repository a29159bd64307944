import type { WebhookStore } from '@topup-kit/core/store';

type Source = Pick<WebhookStore, 'listWebhookEndpoints' | 'listWebhookDeliveries'>;

/** More than an order has. */
const mostOfOrder = 1_000;

/** What is said of the webhooks of a store. */
export const inspectWebhooks = {
  /** The endpoints, with their secrets as they are stored. */
  report: async (store: Source) => ({ webhooks: await store.listWebhookEndpoints() }),

  /** Events are those that were sent or are to be, the newest first. */
  async names(store: Source, limit: number) {
    const [endpoints, deliveries] = await Promise.all([
      store.listWebhookEndpoints(),
      store.listWebhookDeliveries({ limit }),
    ]);
    const events = new Map(deliveries.map(({ eventId, type }) => [eventId, type]));
    return {
      webhooks: endpoints.map(({ endpointId, url }) => ({ name: endpointId, about: url })),
      events: [...events].map(([name, about]) => ({ name, about })),
    };
  },

  /** How many events of an order are kept. */
  async countEvents(store: Source, orderId: string) {
    const deliveries = await store.listWebhookDeliveries({ orderId, limit: mostOfOrder });
    return new Set(deliveries.map(({ eventId }) => eventId)).size;
  },
};
