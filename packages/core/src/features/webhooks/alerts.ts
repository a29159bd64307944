import type { AlertDescription } from '../../engine/alert-kinds.ts';
import { type AlertOf, alertAbout } from '../../engine/alerts.ts';
import { eventBody, eventId } from '../../engine/feed.ts';
import type { Clock, Hash } from '../../platform/index.ts';
import type { RaisedAlert, Store, SupplierBalance } from '../../store/index.ts';
import { addressed } from './endpoints.ts';
import type { WebhookEndpoint, WebhookEvent, WebhookStore } from './store.ts';

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

interface AlertDependencies {
  store: Store & WebhookStore;
  hash: Hash;
  realClock: Clock;
}

/** Also of one whose count is above what is named: what it is raised for is compared. */
const raisedOf = ({ kind, sentence, count, subjects, until }: AlertOf<string>): RaisedAlert => ({
  kind,
  sentence,
  count,
  names: subjects,
  ...(until !== undefined && { until }),
});

interface AlertChange {
  type: 'alert.raised' | 'alert.cleared';
  alert: RaisedAlert;
}

/** What was raised, or concerns more than before, and what is over. */
function changesOf(before: readonly RaisedAlert[], now: readonly RaisedAlert[]): AlertChange[] {
  const raised = now.filter(({ kind, names }) => {
    const known = new Set(before.find((alert) => alert.kind === kind)?.names);
    return names.some((name) => !known.has(name));
  });
  const over = before.filter(({ kind }) => now.every((alert) => alert.kind !== kind));
  return [
    ...raised.map((alert) => ({ type: 'alert.raised', alert }) as const),
    ...over.map((alert) => ({ type: 'alert.cleared', alert: { ...alert, count: 0, names: [] } }) as const),
  ];
}

/** How many names an event has at most. */
const maxNames = 10;

/**
 * Tells operators' endpoints of alerts that are new or over. What they were told of is stored with the events, so that of several servers
 * one tells of each, and none is told again after a start.
 *
 * @returns whether the store has the alerts; false when another server was faster.
 */
export async function noteAlerts(
  { store, hash, realClock }: AlertDependencies,
  alerts: readonly AlertOf<string>[],
): Promise<boolean> {
  const before = await store.readRaisedAlerts();
  const now = alerts.map(raisedOf);
  const changes = changesOf(before.alerts, now);
  const untilOf = (all: readonly RaisedAlert[]) => all.map(({ until }) => until).find(Boolean);
  if (changes.length === 0 && untilOf(before.alerts) === untilOf(now)) return true;
  const endpoints = await store.listWebhookEndpoints();
  const at = realClock();
  const event = (type: WebhookEvent['type'], name: string, data: unknown): WebhookEvent => ({
    eventId: eventId(hash, 'alerts', before.version, type, name),
    type,
    accountId: null,
    orderId: null,
    createdAt: at,
    body: eventBody(type, at, data),
  });
  const ofAlerts = changes.map(({ type, alert: { kind, sentence, count, names } }) =>
    event(type, kind, { kind, sentence, count, names: names.slice(0, maxNames) }),
  );
  const low = new Set(
    changes.flatMap(({ type, alert }) =>
      type === 'alert.raised' && alert.kind === 'low-balance' ? alert.names : [],
    ),
  );
  const knownLow = new Set(before.alerts.find(({ kind }) => kind === 'low-balance')?.names);
  const balances = low.size === 0 ? [] : await store.readSupplierBalances();
  const ofBalances = balances
    .filter(({ supplier }) => low.has(supplier) && !knownLow.has(supplier))
    .map(({ supplier, balance, alertBelow }: SupplierBalance) =>
      event('balance.low', supplier, { supplier, balance, alert_below: alertBelow }),
    );
  const planned = [...ofAlerts, ...ofBalances].map((told) => addressed(told, endpoints));
  const saved = await store.saveRaisedAlerts(
    { version: before.version, alerts: now },
    planned.filter(({ endpointIds }) => endpointIds.length > 0),
  );
  return 'done' in saved;
}
