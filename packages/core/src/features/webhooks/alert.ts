import type { AlertDescription } from '../../engine/alert-kinds.ts';
import { alertAbout } from '../../engine/alerts.ts';
import type { WebhookEndpoint, WebhookStore } from './store.ts';

const kinds = {
  'failing-webhooks': {
    sentences: [
      'webhook',
      '# was disabled because nothing arrived, or has not taken an event for over an hour',
      '# were disabled because nothing arrived, or have not taken an event for over an hour',
    ],
    indonesian: '# webhook dinonaktifkan atau sudah lebih dari sejam tidak menerima peristiwa',
    advice: {
      id: 'Lihat jawaban tujuannya dan beri tahu pengelolanya. Setelah normal, aktifkan lalu kirim ulang yang terlewat.',
      en: 'See what the endpoint responds, and tell who runs it. Once it works, enable it, and send again what it missed.',
    },
    commands: [
      'webhooks deliveries --endpoint <endpoint-id> --attempts',
      'webhooks edit <endpoint-id> --enable',
      'webhooks resend --endpoint <endpoint-id> --failed-since <time>',
    ],
    check: 'webhooks',
    place: { all: '/events/webhooks', one: '/events/webhooks?endpoint={name}' },
  },
} as const satisfies Record<string, AlertDescription>;

/** How long nothing may have arrived at an endpoint, in milliseconds. */
const unreachedFor = 60 * 60_000;

/** Whether nothing has arrived at an endpoint for long, or it is sent no more because of that. */
export const isFailing = ({ disabled, failingSince }: WebhookEndpoint, now: number): boolean =>
  disabled === null ? failingSince !== null && failingSince <= now - unreachedFor : disabled !== 'operator';

/** Of the endpoints where nothing arrives, and those that are sent no more because of that. */
export const webhookAlerts = {
  kinds,
  async find(store: Pick<WebhookStore, 'listWebhookEndpoints'>, { realNow }: { realNow: number }) {
    const failing = (await store.listWebhookEndpoints()).filter((endpoint) => isFailing(endpoint, realNow));
    const ids = failing.map(({ endpointId }) => endpointId);
    return alertAbout('failing-webhooks', kinds['failing-webhooks'].sentences, ids);
  },
};
