import { createWebhookSecret, isWebhookSecret, testEventType } from '../../contract/index.ts';
import type { AlertDescription } from '../../engine/alert-kinds.ts';
import { alertAbout } from '../../engine/alerts.ts';
import { eventBody } from '../../engine/feed.ts';
import { type Clock, type RandomBytes, randomText } from '../../platform/index.ts';
import type { Conflict } from '../../store/index.ts';
import type { PlannedEvent, WebhookEndpoint, WebhookEvent, WebhookStore } from './store.ts';

export interface EndpointDependencies {
  store: WebhookStore;
  random: RandomBytes;
  realClock: Clock;
  /** Encrypts an endpoint's secret for the store. */
  seal: (secret: string, endpointId: string) => string;
}

export const activeEndpoints = async (
  store: Pick<WebhookStore, 'listWebhookEndpoints'>,
): Promise<WebhookEndpoint[]> =>
  (await store.listWebhookEndpoints()).filter(({ disabled }) => disabled === null);

/** Tells whether an endpoint gets an event of an account; null means an event of the shop, which only operators get. */
export const wants = (
  { disabled, types, accountId }: WebhookEndpoint,
  type: WebhookEvent['type'],
  ofAccount: string | null,
): boolean =>
  disabled === null &&
  types.some((wanted) => wanted === type) &&
  (accountId === null || accountId === ofAccount);

export const addressed = (event: WebhookEvent, endpoints: readonly WebhookEndpoint[]): PlannedEvent => ({
  event,
  endpointIds: endpoints
    .filter((endpoint) => wants(endpoint, event.type, event.accountId))
    .map(({ endpointId }) => endpointId),
});

/** Alphabet of ids, without characters that look alike. */
const idAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

const secretBytes = 24;

/** An endpoint with its secret, which the response shows only once. */
export interface SecretOfEndpoint {
  endpoint: WebhookEndpoint;
  secret: string;
}

export type NewEndpoint = Pick<WebhookEndpoint, 'accountId' | 'url' | 'types' | 'description' | 'disabled'>;

/** Stores an endpoint with a new secret. */
export async function createEndpoint(
  { store, random, realClock, seal }: EndpointDependencies,
  chosen: NewEndpoint,
): Promise<SecretOfEndpoint> {
  const secret = createWebhookSecret(random(secretBytes));
  for (;;) {
    const endpointId = `ep_${randomText(random, idAlphabet, 8)}`;
    const endpoint = {
      ...chosen,
      endpointId,
      secret: seal(secret, endpointId),
      previousSecret: null,
      previousUntil: null,
      createdAt: realClock(),
      failingSince: null,
      version: 1,
    };
    const added = await store.addWebhookEndpoint(endpoint);
    if (!('conflict' in added)) return { endpoint, secret };
  }
}

/** Changes the current state of an endpoint, even if another operator changes it at the same time. */
async function change<Changed>(
  store: WebhookStore,
  endpointId: string,
  plan: (endpoint: WebhookEndpoint) => { endpoint: WebhookEndpoint; result: Changed },
): Promise<Changed | Conflict<'endpoint_missing'>> {
  for (;;) {
    const known = (await store.listWebhookEndpoints()).find((endpoint) => endpoint.endpointId === endpointId);
    if (!known) return { conflict: 'endpoint_missing' };
    const { endpoint, result } = plan(known);
    const changed = await store.changeWebhookEndpoint(endpoint);
    if (!('conflict' in changed)) return result;
    if (changed.conflict === 'endpoint_missing') return { conflict: 'endpoint_missing' };
  }
}

export type EndpointChanges = Partial<Pick<WebhookEndpoint, 'url' | 'types' | 'description'>> & {
  /** True if it gets events. A change resets earlier failures, too. */
  enabled?: boolean;
};

/** Changes an endpoint. A secret that was stored before there was an encryption key is encrypted, too. */
export const editEndpoint = (
  { store, seal }: Pick<EndpointDependencies, 'store' | 'seal'>,
  endpointId: string,
  { enabled, ...changes }: EndpointChanges,
): Promise<WebhookEndpoint | Conflict<'endpoint_missing'>> =>
  change(store, endpointId, (known) => {
    const sealed = (secret: string): string => (isWebhookSecret(secret) ? seal(secret, endpointId) : secret);
    const endpoint = {
      ...known,
      ...changes,
      secret: sealed(known.secret),
      previousSecret: known.previousSecret === null ? null : sealed(known.previousSecret),
      ...(enabled === true && { disabled: null, failingSince: null }),
      ...(enabled === false && { disabled: 'operator' as const }),
    };
    return { endpoint, result: endpoint };
  });

/** Gives an endpoint a new secret. Both secrets sign events for `overlapMs` milliseconds. */
export const rotateSecret = (
  { store, random, realClock, seal }: EndpointDependencies,
  endpointId: string,
  overlapMs: number,
): Promise<SecretOfEndpoint | Conflict<'endpoint_missing'>> => {
  const secret = createWebhookSecret(random(secretBytes));
  return change(store, endpointId, (known) => {
    const overlaps = overlapMs > 0;
    const endpoint = {
      ...known,
      secret: seal(secret, endpointId),
      previousSecret: overlaps ? known.secret : null,
      previousUntil: overlaps ? realClock() + overlapMs : null,
    };
    return { endpoint, result: { endpoint, secret } };
  });
};

const testMessage = 'This is a test. Nothing has happened.';

type TestDependencies = Pick<EndpointDependencies, 'random' | 'realClock'>;

/** Creates a test event: its id, its time (unix milliseconds), and its body as JSON. */
export function createTestEvent({ random, realClock }: TestDependencies) {
  const now = realClock();
  const eventId = `evt_${randomText(random, '0123456789abcdef', 24)}`;
  return { eventId, now, body: eventBody(testEventType, now, { message: testMessage }) };
}

/** Sends a test event to an endpoint, and returns its id. */
export async function sendTestEvent(
  { store, ...deps }: TestDependencies & Pick<EndpointDependencies, 'store'>,
  { endpointId, accountId }: WebhookEndpoint,
): Promise<string> {
  const { eventId, now, body } = createTestEvent(deps);
  const event = { eventId, type: testEventType, accountId, orderId: null, createdAt: now, body } as const;
  await store.addWebhookEvents([{ event, endpointIds: [endpointId] }], null);
  return eventId;
}

const kinds = {
  'failing-webhooks': {
    sentences: [
      'webhook',
      '# was disabled because no event arrived, or has accepted no event for over an hour',
      '# were disabled because no event arrived, or have accepted no event for over an hour',
    ],
    indonesian: '# webhook dinonaktifkan atau sudah lebih dari sejam tidak menerima peristiwa',
    advice: {
      id: 'Lihat jawaban penerima dan beri tahu pengelolanya. Setelah normal, aktifkan lalu kirim ulang peristiwa yang terlewat.',
      en: "Look at the endpoint's responses, and tell the people who run it. When it works again, enable it and resend the missed events.",
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

/** Time without a delivered event after which an endpoint counts as unreachable, in milliseconds. */
const unreachedFor = 60 * 60_000;

/** Tells whether an endpoint has been unreachable for long, or was disabled for that reason. */
export const isFailing = ({ disabled, failingSince }: WebhookEndpoint, now: number): boolean =>
  disabled === null ? failingSince !== null && failingSince <= now - unreachedFor : disabled !== 'operator';

/** Alerts about unreachable endpoints, including those that were disabled for this reason. */
export const webhookAlerts = {
  kinds,
  async find(store: Pick<WebhookStore, 'listWebhookEndpoints'>, { realNow }: { realNow: number }) {
    const failing = (await store.listWebhookEndpoints()).filter((endpoint) => isFailing(endpoint, realNow));
    const ids = failing.map(({ endpointId }) => endpointId);
    return alertAbout('failing-webhooks', kinds['failing-webhooks'].sentences, ids);
  },
};
