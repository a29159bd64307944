import type { Store } from '@topup-kit/core/store';
import { moment } from '../../../suites/src/store/fixtures.ts';

/** Stores a webhook, and an event on its way there. */
export async function addWebhook(store: Store): Promise<void> {
  await store.addWebhookEndpoint({
    ...{ endpointId: 'ep_1', accountId: null, url: 'https://shop.example/hooks', types: ['order.paid'] },
    ...{ description: '', secret: 'whsec_1', previousSecret: null, previousUntil: null, disabled: null },
    ...{ createdAt: moment, failingSince: null, version: 1 },
  });
  const event = { eventId: 'evt_1', type: 'order.paid', accountId: null, orderId: null } as const;
  await store.addWebhookEvents(
    [{ event: { ...event, createdAt: moment, body: '{}' }, endpointIds: ['ep_1'] }],
    null,
  );
}
