import type { Operation } from '@topup-kit/core/contract';
import type { AnyTopupError } from './errors/index.ts';
import type { PaymentState } from './types.ts';
import type { Until } from './waiting/order-result.ts';

/**
 * A function that answers a request, such as the runtime's own `fetch` or an app in this process.
 * What it throws becomes the `cause` of a `TopupNetworkError`.
 */
export type Fetch = (request: Request) => Promise<Response>;

/** Where the client writes; `console` is one. No key, body or query is ever in what it is told. */
export type Logger = Record<LogLevel, (message: string, facts: Readonly<Record<string, unknown>>) => void>;

/** `debug`: each attempt; `info`: each retry; `warn`: answers outside the contract; `error`: hooks that threw. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One attempt of a call. */
export interface Attempt {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** The same over all attempts of `orders.create`; undefined for every other operation. */
  readonly idempotencyKey: string | undefined;
}

/** Called around every attempt. What `onResponse` and `onRetry` throw or reject with goes to the logger and ends nothing. */
export interface Hooks {
  /**
   * Before an attempt leaves. Headers set here go with this attempt alone; the client's own (`Accept`,
   * `Content-Type`, `X-API-KEY`, `Idempotency-Key`) cannot be replaced. What it throws ends the call with a
   * `TopupUsageError`, code `HOOK_FAILED`, before the attempt leaves.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, hooks: { onRequest: ({ headers }) => headers.set('traceparent', traceparent) } });
   * ```
   */
  onRequest?: ((attempt: Attempt & { readonly headers: Headers }) => void | Promise<void>) | undefined;
  /**
   * After an attempt was answered, whatever the status; `duration` in milliseconds, its body included.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, hooks: { onResponse: ({ operation, status }) => logger.info(operation, { status }) } });
   * ```
   */
  onResponse?: ((attempt: Attempt & AttemptResponse) => void | Promise<void>) | undefined;
  /**
   * Before the wait for another attempt; `delay` in milliseconds.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, hooks: { onRetry: ({ error, delay }) => logger.info(error.code, { delay }) } });
   * ```
   */
  onRetry?:
    | ((attempt: Attempt & { readonly error: AnyTopupError; readonly delay: number }) => void | Promise<void>)
    | undefined;
}

/** How an attempt was answered. */
export interface AttemptResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Milliseconds, the body included. */
  readonly duration: number;
}

/** Options of every call; `createTopupClient` takes the same ones as defaults. */
export interface RequestOptions {
  /**
   * Ends the call, also between two attempts, with a `TopupAbortError`.
   *
   * @example
   * ```ts
   * await client.games.list({ signal: AbortSignal.timeout(5_000) });
   * ```
   */
  signal?: AbortSignal | undefined;
  /**
   * Time for one attempt with its whole body, in milliseconds; 30 000 when left out.
   *
   * @example
   * ```ts
   * await client.games.list({ timeout: 5_000 });
   * ```
   */
  timeout?: number | undefined;
  /**
   * Time for the whole call, all attempts and the waits between them, in milliseconds; 90 000 when left out.
   *
   * @example
   * ```ts
   * await client.games.list({ totalTimeout: 20_000 });
   * ```
   */
  totalTimeout?: number | undefined;
  /**
   * How often a call may be tried again; 2 when left out, 0 for never.
   *
   * @example
   * ```ts
   * await client.games.list({ maxRetries: 5 });
   * ```
   */
  maxRetries?: number | undefined;
  /**
   * Headers to add. Those of the client itself (`Accept`, `Content-Type`, `X-API-KEY`, `Idempotency-Key`)
   * cannot be replaced.
   *
   * @example
   * ```ts
   * await client.games.list({ headers: { 'Accept-Language': 'en' } });
   * ```
   */
  headers?: Readonly<Record<string, string>> | Headers | undefined;
}

/** Options of `createTopupClient`. */
export interface TopupClientOptions extends Omit<RequestOptions, 'signal'> {
  /**
   * Where the service's paths begin (`{base_url}` of the interface): an absolute http(s) URL without
   * credentials, query or fragment; a slash at its end makes no difference. In a browser it may be relative
   * to the page: the path of your own proxy.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl: 'https://shop.example/api' });
   * ```
   */
  baseUrl: string;
  /**
   * Sent as `X-API-KEY` (interface 5). It is a secret of your server: a browser that is given one is refused.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, apiKey: process.env.TOPUP_API_KEY });
   * ```
   */
  apiKey?: string | undefined;
  /**
   * Called for every attempt instead of the runtime's `fetch`. Wrap it to see or change all that passes, but let it
   * send once: whether an order may be sent again, only the client knows.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, fetch: (request) => fetch(request, { keepalive: true }) });
   * ```
   */
  fetch?: Fetch | undefined;
  /**
   * Whether the service honours `Idempotency-Key` (an extension). `detect`, the default, believes it once an
   * answer carried the key back. Say `supported` when you know: then an order of unknown outcome is sent again
   * from the first one on. Said of a service that ignores the key, it doubles orders.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, apiKey, idempotency: 'supported' });
   * ```
   */
  idempotency?: 'detect' | 'supported' | undefined;
  /**
   * Called around every attempt.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, hooks: { onRetry: ({ attempt, delay }) => logger.info('again', { attempt, delay }) } });
   * ```
   */
  hooks?: Hooks | undefined;
  /**
   * Where the client writes; without one it is silent.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, logger: console });
   * ```
   */
  logger?: Logger | undefined;
  /**
   * The least that is written; `warn` when left out.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, logger: console, logLevel: 'debug' });
   * ```
   */
  logLevel?: LogLevel | undefined;
}

/** Options of `orders.create`. */
export interface CreateOrderOptions extends RequestOptions {
  /**
   * The `Idempotency-Key` (an extension; source: ours): 1 to 255 visible ASCII characters, 128 random bits when
   * left out. Where the server honours it, calling again with the same key makes no second order; a service of this
   * kit keeps it for 24 hours.
   *
   * @example
   * ```ts
   * await client.orders.create(request, { idempotencyKey: crypto.randomUUID() });
   * ```
   */
  idempotencyKey?: string | undefined;
}

/** Options of `orders.waitFor`. */
export interface WaitOptions<Goal extends Until = 'final'> {
  /**
   * What to wait for: `final`, the default, is delivery or any other end; `paid` is payment, or an end without it.
   *
   * @example
   * ```ts
   * const { outcome } = await client.orders.waitFor(orderId, { until: 'paid' });
   * ```
   */
  until?: Goal | undefined;
  /**
   * Ends the wait with a `TopupAbortError`. The order goes on.
   *
   * @example
   * ```ts
   * await client.orders.waitFor(orderId, { signal: AbortSignal.timeout(600_000) });
   * ```
   */
  signal?: AbortSignal | undefined;
  /**
   * How long to wait at most, in milliseconds; an hour when left out. Then it ends with a `TopupWaitError`, code
   * `WAIT_TIMEOUT`.
   *
   * @example
   * ```ts
   * await client.orders.waitFor(orderId, { timeout: 1_800_000 });
   * ```
   */
  timeout?: number | undefined;
  /**
   * Called with the first state seen and with every other that differs from the one before it. It is awaited; when
   * it throws, the wait ends with a `TopupUsageError`, code `HOOK_FAILED`.
   *
   * @example
   * ```ts
   * await client.orders.waitFor(orderId, { onUpdate: (state) => console.log(state.payment_status, state.buy_status) });
   * ```
   */
  onUpdate?: ((state: PaymentState) => void | Promise<void>) | undefined;
}
