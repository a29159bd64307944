import type { Room } from '../../engine/rooms.ts';
import type { Store } from '../../store/index.ts';
import { activeEndpoints } from './endpoints.ts';
import { createOutbox } from './outbox.ts';
import { createWebhookSender, type WebhookHost } from './send.ts';
import type { WebhookEndpoint, WebhookStore } from './store.ts';

export * from './endpoints.ts';
export { type EventRecords, type FollowedEndpoint, noteAlerts, verifyEvents } from './outbox.ts';
export type {
  SendWebhook,
  WebhookHost,
  WebhookOutcome,
  WebhookRequest,
  WebhookResponse,
} from './send.ts';

/** Creates the due work that creates events for changes, and sends them to endpoints. */
export const sendWebhooks =
  (host: WebhookHost & { store: Store & WebhookStore }): Room =>
  (house) => {
    const outbox = createOutbox({ ...house, ...host });
    const sender = createWebhookSender({ ...house, ...host });
    /** The endpoints, read once for both kinds of work. */
    let endpoints: Promise<WebhookEndpoint[]> = Promise.resolve([]);
    return {
      async 'make events'() {
        endpoints = activeEndpoints(host.store);
        return outbox.run(await endpoints);
      },
      'send webhooks': () => sender.run(() => endpoints),
    };
  };
