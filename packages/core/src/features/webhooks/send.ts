import { webhookHeaders } from '../../contract/index.ts';
import type { EmitEvent } from '../../engine/events.ts';
import { isStoreFailure } from '../../engine/failures.ts';
import { type Clock, type RandomBytes, randomBelow } from '../../platform/index.ts';
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
  /** The body as JSON. */
  body: string;
  signal: AbortSignal;
}

export interface WebhookResponse {
  status: number;
  /** The unparsed header `Retry-After`. */
  retryAfter: string | null;
  /** The first 2,048 bytes of the body, as text. */
  body: string;
}

/** Sends an event. Without a response, rejects with an error whose message is one line without secrets. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookResponse>;

/** Maximum duration of a request to an endpoint, in milliseconds. */
const timeoutMs = 15_000;

/** Maximum number of requests in flight: to one endpoint, and to all endpoints from all servers of the store. */
const maxOfEndpoint = 8;
const maxInFlight = 64;

/** Maximum number of requests started in one step while client requests keep the server busy. */
const busyStarts = 4;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delay after each failed attempt, in milliseconds (source: Standard Webhooks). */
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

/** Extends each delay randomly by up to a tenth, so that failed deliveries don't retry together. */
const jitter = 0.1;

/** Maximum `Retry-After` of an endpoint, in milliseconds. */
const longestRetryAfter = 24 * hour;

/** Time without a delivered event after which an endpoint is disabled, in milliseconds. */
const failingMs = 5 * 24 * hour;

/** Maximum number of stored attempts per delivery. */
const maxLog = 12;

/** The result of an attempt to send an event. */
export interface WebhookOutcome {
  endpointId: string;
  eventId: string;
  type: string;
  orderId: string | null;
  /** `pending`: it will be sent again. */
  state: WebhookState;
  /** HTTP status of the response; null without a response. */
  status: number | null;
  /** Reason for the missing response. */
  why: string | null;
  ms: number;
  attempts: number;
  /** Time of the next attempt, in unix milliseconds of real time. */
  nextAt: number | null;
  /** Reason why this attempt disabled the endpoint; null if it did not. */
  disabled: WebhookEndpoint['disabled'];
}

export interface WebhookHost {
  send: SendWebhook;
  /** Decrypts an endpoint's stored secret. */
  secrets: { open(stored: string, endpointId: string): string };
  /** Tells whether client requests keep the host busy, so that events must wait. */
  isBusy: () => boolean;
  /** Called with the result of each attempt. */
  report: (outcome: WebhookOutcome) => void;
  /** Aborts when the host stops. Requests in flight are sent again after the next start. */
  stop: AbortSignal;
}

interface SenderDependencies extends WebhookHost {
  store: WebhookStore;
  realClock: Clock;
  random: RandomBytes;
  emit: EmitEvent;
  countServers: () => number;
  /** Tells whether this server holds the lock for a delivery. */
  isOurs: (name: string) => Promise<boolean>;
}

/** Returns the time that an endpoint asks the sender to wait, in milliseconds from `now`. */
function retryAfterMs(value: string | null, now: number): number {
  if (value === null) return 0;
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) * second : Date.parse(value) - now;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), longestRetryAfter) : 0;
}

/** Returns the message of an error, which may come from another realm, as in jsdom. */
const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

/** Computes how an attempt changes its delivery and its endpoint. */
function recordOf(
  { endpoint, due, random }: { endpoint: WebhookEndpoint; due: DueWebhook; random: RandomBytes },
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

/** Creates a sender that sends each event at least once. An order's events stay in sequence, and no endpoint delays another. */
export function createWebhookSender(deps: SenderDependencies) {
  const { store, realClock, random, send, secrets, report, emit, countServers, isBusy, isOurs, stop } = deps;
  /** Deliveries in flight, by endpoint. */
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
    // It is unknown whether the request arrived, so it will be sent again.
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
        if (!isStoreFailure(error)) emit({ type: 'error', error, about: `webhook ${webhook.eventId}` });
      })
      .finally(() => {
        names.delete(webhook.eventId);
        inFlight -= 1;
        // The due work reports a failure and tries again.
        if (!isBusy()) void run(() => activeEndpoints(store)).catch(() => {});
      });
  }

  /** Starts due deliveries of an endpoint, up to the limits. Returns their number. */
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
    // The next run starts with another endpoint, so that each endpoint gets its share of the limit.
    first = (first + 1) % Math.max(1, endpoints.length);
    let left = isBusy() ? busyStarts : maxInFlight;
    for (const endpoint of [...endpoints.slice(first), ...endpoints.slice(0, first)])
      left -= await begin(endpoint, left);
  }

  /** Starts due deliveries of the active endpoints. */
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
