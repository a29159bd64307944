import { webhookHeaders } from '../../contract/index.ts';
import type { Emit } from '../../engine/events.ts';
import { isOfStore } from '../../engine/failures.ts';
import { type Clock, type Random, randomBelow } from '../../platform/index.ts';
import { activeEndpoints } from './endpoints.ts';
import type {
  DueWebhook,
  RecordAttempt,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookState,
  WebhookStore,
} from './store.ts';

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
  signal: AbortSignal;
}

export interface WebhookResponse {
  status: number;
  /** The header `Retry-After` as it is. */
  retryAfter: string | null;
  /** The first 2,048 bytes of the body, as text. */
  body: string;
}

/** Sends an event. Rejects with an error whose message is one line without secrets when there is no response. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookResponse>;

/** How long an endpoint may take, in milliseconds. */
const timeoutMs = 15_000;

/** How many requests may be in flight: to one endpoint, and to all of them, from all servers of the store. */
const maxOfEndpoint = 8;
const maxInFlight = 64;

/** How many requests are begun at a time while requests of clients keep the server busy. */
const busyStarts = 4;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after an attempt that failed the next one is, in milliseconds (source: Standard Webhooks). */
const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Each delay is longer by up to a tenth, so that what failed together is not sent together again. */
const jitter = 0.1;

/** The longest that an endpoint can ask us to wait, in milliseconds. */
const longestRetryAfter = 24 * hour;

/** After how long without anything that arrived an endpoint is sent no more, in milliseconds. */
const failingMs = 5 * 24 * hour;

/** How many attempts of a delivery are kept. */
const maxLog = 12;

/** What came of sending an event to an endpoint. */
export interface WebhookOutcome {
  endpointId: string;
  eventId: string;
  /** The type of the event. */
  type: string;
  orderId: string | null;
  /** `pending`: it is sent again. */
  state: WebhookState;
  /** The status of the response; null when there was none. */
  status: number | null;
  /** Why there was none. */
  why: string | null;
  ms: number;
  attempts: number;
  /** When it is sent again, in unix milliseconds of real time. */
  nextAt: number | null;
  /** Why the endpoint is sent no more from now on; null if it is. */
  disabled: WebhookEndpoint['disabled'];
}

export interface WebhookHost {
  send: SendWebhook;
  /** Decrypts the secret of an endpoint as it is stored. */
  secrets: { open(stored: string, endpointId: string): string };
  /** Whether requests of clients keep the host busy; events wait for them. */
  isBusy: () => boolean;
  /** Called with what came of each attempt. */
  report: (outcome: WebhookOutcome) => void;
  /** Aborted when the host stops: what is in flight is then sent again. */
  stop: AbortSignal;
}

interface SenderDependencies extends WebhookHost {
  store: WebhookStore;
  realClock: Clock;
  random: Random;
  emit: Emit;
  countServers: () => number;
  /** Whether no other server sends this at the moment. */
  isOurs: (name: string) => Promise<boolean>;
}

/** Until when an endpoint asks us to wait, in milliseconds from `now`. */
function retryAfterMs(value: string | null, now: number): number {
  if (value === null) return 0;
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) * second : Date.parse(value) - now;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), longestRetryAfter) : 0;
}

/** An error may come from another realm, as in jsdom. */
const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

/** What an attempt means for its delivery and its endpoint. */
function recordOf(
  { endpoint, due, random }: { endpoint: WebhookEndpoint; due: DueWebhook; random: Random },
  attempt: WebhookAttempt,
  retryAfter: string | null,
): RecordAttempt {
  const { status, at } = attempt;
  const { endpointId, eventId, attempts } = due;
  const log = [...due.log, attempt].slice(-maxLog);
  const step = due.step + 1;
  const known = { endpointId, eventId, attempts, log, step };
  if (status !== null && status >= 200 && status < 300)
    return { ...known, state: 'delivered', nextAt: null, endpoint: { failingSince: null, disabled: null } };
  if (status === 410)
    return { ...known, state: 'failed', nextAt: null, endpoint: { failingSince: at, disabled: 'gone' } };
  const since = endpoint.failingSince ?? at;
  const changes = { failingSince: since, disabled: at - since >= failingMs ? 'failing' : null } as const;
  const delay = delays[due.step];
  if (delay === undefined) return { ...known, state: 'failed', nextAt: null, endpoint: changes };
  const later = delay + Math.round(delay * jitter * (randomBelow(random, 1_000) / 1_000));
  const end = at + attempt.ms;
  const nextAt = end + Math.max(later, retryAfterMs(retryAfter, end));
  return { ...known, state: 'pending', nextAt, endpoint: changes };
}

/** Sends events until they have arrived: at least once each, those of an order in their order, and no endpoint delays another. */
export function createWebhookSender(deps: SenderDependencies) {
  const { store, realClock, random, send, secrets, report, emit, countServers, isBusy, isOurs, stop } = deps;
  /** What is being sent, by endpoint. */
  const sending = new Map<string, Set<string>>();
  let inFlight = 0;
  let first = 0;
  let running: Promise<void> | undefined;

  const shareOf = (limit: number): number => Math.ceil(limit / countServers());

  async function request(endpoint: WebhookEndpoint, due: DueWebhook, at: number) {
    const { endpointId, secret, previousSecret, previousUntil } = endpoint;
    const signing = [
      secret,
      ...(previousSecret !== null && (previousUntil ?? 0) > at ? [previousSecret] : []),
    ];
    const headers = await webhookHeaders({
      id: due.eventId,
      timestamp: Math.floor(at / 1_000),
      body: due.body,
      secrets: signing.map((sealed) => secrets.open(sealed, endpointId)),
    });
    const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
    return send({
      url: endpoint.url,
      headers: { 'content-type': 'application/json', ...headers },
      body: due.body,
      signal,
    });
  }

  async function attempt(endpoint: WebhookEndpoint, due: DueWebhook): Promise<void> {
    const { endpointId, eventId, orderId, type } = due;
    if (!(await isOurs(`webhook ${endpointId} ${eventId}`))) return;
    const at = realClock();
    const outcome = await request(endpoint, due, at).then(
      ({ status, body, retryAfter }) => ({ status, text: body, retryAfter }),
      (error: unknown) => ({ status: null, text: messageOf(error), retryAfter: null }),
    );
    // Nobody knows whether it arrived, so it is sent again.
    if (stop.aborted && outcome.status === null) return;
    const { status, text, retryAfter } = outcome;
    const ms = Math.max(0, realClock() - at);
    const record = recordOf({ endpoint, due, random }, { at, ms, status, text }, retryAfter);
    const recorded = await store.recordWebhookAttempt(record);
    if ('conflict' in recorded) return;
    const { state, nextAt } = record;
    const why = status === null ? text : null;
    const { disabled } = record.endpoint;
    const known = { endpointId, eventId, type, orderId, attempts: due.attempts + 1 };
    report({ ...known, state, status, why, ms, nextAt, disabled });
  }

  const roomOf = (names: ReadonlySet<string>): number =>
    Math.min(shareOf(maxOfEndpoint) - names.size, shareOf(maxInFlight) - inFlight);

  function start(endpoint: WebhookEndpoint, webhook: DueWebhook, names: Set<string>): void {
    names.add(webhook.eventId);
    inFlight += 1;
    void attempt(endpoint, webhook)
      .catch((error: unknown) => {
        if (!isOfStore(error)) emit({ type: 'error', error, about: `webhook ${webhook.eventId}` });
      })
      .finally(() => {
        names.delete(webhook.eventId);
        inFlight -= 1;
        // The due work reports what fails, and tries again.
        if (!isBusy()) void run(() => activeEndpoints(store)).catch(() => {});
      });
  }

  /** Begins to send what is due to an endpoint, as far as there is room; returns how much. */
  async function begin(endpoint: WebhookEndpoint, most: number): Promise<number> {
    const { endpointId } = endpoint;
    const names = sending.get(endpointId) ?? new Set();
    sending.set(endpointId, names);
    const room = Math.min(most, roomOf(names));
    if (room <= 0 || stop.aborted) return 0;
    const before = new Set(names);
    const due = await store.findDueWebhooks(endpointId, realClock(), room + before.size);
    const isFree = ({ eventId }: DueWebhook): boolean => !before.has(eventId) && !names.has(eventId);
    const next = due.filter(isFree).slice(0, Math.max(0, Math.min(most, roomOf(names))));
    for (const webhook of next) start(endpoint, webhook, names);
    return next.length;
  }

  async function beginAll(endpoints: readonly WebhookEndpoint[]): Promise<void> {
    // Another one is first each time, so that none always gets what room is left.
    first = (first + 1) % Math.max(1, endpoints.length);
    let left = isBusy() ? busyStarts : maxInFlight;
    for (const endpoint of [...endpoints.slice(first), ...endpoints.slice(0, first)])
      left -= await begin(endpoint, left);
  }

  /** Begins to send what is due to the active endpoints. */
  function run(endpoints: () => Promise<readonly WebhookEndpoint[]>): Promise<void> {
    running ??= endpoints()
      .then(beginAll)
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return { run };
}
