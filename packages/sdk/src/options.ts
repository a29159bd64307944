import type { Operation } from '@topup-kit/core/contract';
import type { AnyTopupError, Method } from './errors/index.ts';
import type { PaymentState } from './generated/types.ts';

/**
 * A function that sends a request and returns the response, such as the runtime's `fetch` or an app in this process.
 * An error that it throws becomes the `cause` of a `TopupNetworkError`.
 */
export type Fetch = (request: Request) => Promise<Response>;

type Write = (message: string, fields: Readonly<Record<string, unknown>>) => void;

/** A logger, such as `console`. Messages begin with `topup-sdk: `. The client never logs keys, bodies or queries. */
export interface Logger {
  /** Logs every attempt. */
  debug: Write;
  /** Logs every retry. */
  info: Write;
  /** Logs differences between responses and the contract. */
  warn: Write;
  /** Logs errors that hooks threw. */
  error: Write;
}

/** One attempt of a call. A call has several attempts when it is retried. */
export interface Attempt {
  /** The operation, such as `createOrder`; `request` for `client.request`. */
  readonly operation: Operation | 'request';
  /** The HTTP method. */
  readonly method: Method;
  /** The URL without a query. */
  readonly url: string;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  /** The `Idempotency-Key`, which is the same for all attempts of one call; undefined for reads. */
  readonly idempotencyKey: string | undefined;
}

/** Functions that are called for every attempt. Errors of `onResponse` and `onRetry` are logged and do not end the call. */
export interface Hooks {
  /**
   * Called before an attempt is sent. Headers set here apply only to this attempt; the client's own headers (`Accept`, `Content-Type`,
   * `X-API-KEY`, `Idempotency-Key`) cannot be replaced, and `headers` doesn't contain `X-API-KEY`. If the hook throws, the attempt is not
   * sent, and the call rejects with a `TopupUsageError`, code `HOOK_FAILED`.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, hooks: { onRequest: ({ headers }) => headers.set('traceparent', traceparent) } });
   * ```
   */
  onRequest?: ((attempt: Attempt & { readonly headers: Headers }) => void | Promise<void>) | undefined;
  /**
   * Called after a response, with any status. `duration` is in milliseconds and includes the body.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, hooks: { onResponse: ({ operation, status }) => logger.info(operation, { status }) } });
   * ```
   */
  onResponse?:
    | ((
        attempt: Attempt & {
          /** HTTP status; 0 when a browser hides a redirect. */
          readonly status: number;
          readonly headers: Headers;
          /** Time until the end of the body, in milliseconds. */
          readonly duration: number;
        },
      ) => void | Promise<void>)
    | undefined;
  /**
   * Called before the pause until the next attempt. `delay` is in milliseconds.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, hooks: { onRetry: ({ error, delay }) => logger.info(error.code, { delay }) } });
   * ```
   */
  onRetry?:
    | ((
        attempt: Attempt & {
          /** Reason why the attempt failed. */
          readonly error: AnyTopupError;
          /** Time until the next attempt, in milliseconds. */
          readonly delay: number;
        },
      ) => void | Promise<void>)
    | undefined;
}

/** Options of every call. `createTopupClient` accepts the same options (except `signal`) as defaults for all calls. */
export interface RequestOptions {
  /**
   * Aborts the call, even between two attempts. The call then rejects with a `TopupAbortError`.
   *
   * @example
   * ```ts
   * await client.games.list({ signal: AbortSignal.timeout(5_000) });
   * ```
   */
  signal?: AbortSignal | undefined;
  /**
   * Time limit for one attempt including the response body, in milliseconds. Default: 30 000.
   *
   * @example
   * ```ts
   * await client.games.list({ timeout: 5_000 });
   * ```
   */
  timeout?: number | undefined;
  /**
   * Time limit for the whole call, including all attempts and the pauses between them, in milliseconds. Default: 90 000.
   *
   * @example
   * ```ts
   * await client.games.list({ totalTimeout: 20_000 });
   * ```
   */
  totalTimeout?: number | undefined;
  /**
   * Maximum number of retries after the first attempt; 0 means none. Default: 2.
   *
   * @example
   * ```ts
   * await client.games.list({ maxRetries: 5 });
   * ```
   */
  maxRetries?: number | undefined;
  /**
   * Additional headers. The client's own headers (`Accept`, `Content-Type`, `Idempotency-Key`) cannot be replaced. `X-API-KEY` is rejected
   * with a `TopupUsageError`, code `INVALID_HEADER`: set the key with the client's option `apiKey`.
   *
   * @example
   * ```ts
   * await client.games.list({ headers: { 'Accept-Language': 'en' } });
   * ```
   */
  headers?: Readonly<Record<string, string>> | Headers | undefined;
}

/** Options of clients of both entries. */
export interface ClientOptions extends Omit<RequestOptions, 'signal'> {
  /**
   * Base URL of the service's API (`{base_url}` of the interface): an absolute http(s) URL without credentials, query or fragment. A
   * trailing slash makes no difference. In a browser, it may also be a path on the page's origin, such as the path of your proxy. You can
   * create such a client on a server, too, but call it only in the browser. Default: the environment variable `TOPUP_BASE_URL`, read at
   * each call; browsers have no default.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl: 'https://shop.example/api' });
   * ```
   */
  baseUrl?: string | undefined;
  /**
   * Your API key, sent as `X-API-KEY` (interface 5). It must stay on your server: in a browser, the client throws. If left out, the client
   * reads the environment variable `TOPUP_API_KEY` at each call, except in browsers and with a relative `baseUrl`. `undefined` means no
   * key.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, apiKey: process.env.TOPUP_API_KEY });
   * ```
   */
  apiKey?: string | undefined;
  /**
   * Called for every attempt instead of the runtime's `fetch`. It can inspect or change requests and responses, but must
   * send each request only once: only the client knows whether an order can be sent again safely.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, fetch: (request) => fetch(request, { keepalive: true }) });
   * ```
   */
  fetch?: Fetch | undefined;
  /**
   * Support of the service for `Idempotency-Key` (a Topup Kit extension). With it, sending an order again with the same key creates no
   * second order. `detect` (the default) assumes support after a response that repeats the key, or that has `Idempotency-Supported: true`,
   * which a Topup Kit server sends. `supported` tells the client that the service honours the key, so that the client may retry even the
   * first order after an unclear outcome. Warning: with a service that ignores the key, `supported` can create orders twice.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, apiKey, idempotency: 'supported' });
   * ```
   */
  idempotency?: 'detect' | 'supported' | undefined;
  /**
   * Functions that are called for every attempt.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, hooks: { onRetry: ({ attempt, delay }) => logger.info('again', { attempt, delay }) } });
   * ```
   */
  hooks?: Hooks | undefined;
  /**
   * The logger of the client, such as `console`. If left out, nothing is logged, unless `TOPUP_LOG` is set.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, logger: console });
   * ```
   */
  logger?: Logger | undefined;
  /**
   * The lowest level that is logged. Default: the environment variable `TOPUP_LOG` (except in browsers), read when the client is created;
   * else `warn`. If `TOPUP_LOG` is set without a `logger`, the client logs to the console. An invalid value is ignored, with one warning.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, logger: console, logLevel: 'debug' });
   * ```
   */
  logLevel?: 'debug' | 'info' | 'warn' | 'error' | undefined;
}

/** Options of `createTopupClient`. */
export interface TopupClientOptions extends ClientOptions {
  /**
   * Validation of successful responses against the documented format. `warn` (the default) returns an invalid response and logs the
   * difference to your `logger`, or once to the console. `strict` rejects with a `TopupResponseError`, code `INVALID_RESPONSE`, that has
   * the JSON path. `off` does not validate. Unknown fields and unknown statuses are allowed.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, validation: 'strict' });
   * ```
   */
  validation?: 'strict' | 'warn' | 'off' | undefined;
}

/** Options of `orders.create`. */
export interface CreateOrderOptions extends RequestOptions {
  /**
   * The `Idempotency-Key` of the order (a Topup Kit extension): 1 to 255 visible ASCII characters. Default: a random key of 128 bits. If
   * the server honours it, a second call with the same key creates no second order. In a Topup Kit server, a key belongs to its order
   * permanently. After 30 days, the call rejects with `IDEMPOTENCY_KEY_USED`, which names the order.
   *
   * @example
   * ```ts
   * await client.orders.create(request, { idempotencyKey: crypto.randomUUID() });
   * ```
   */
  idempotencyKey?: string | undefined;
  /**
   * `supported`: you know that the service honours the key, as a Topup Kit server does. You can then send an order again with the key of an
   * earlier call whose outcome is unknown, even from another process. Default: the client's option. Warning: with a service that ignores
   * the key, this can create orders twice.
   *
   * @example
   * ```ts
   * // Request and key were saved before the first call. If that call created the order, this one returns it.
   * await client.orders.create(request, { idempotencyKey, idempotency: 'supported' });
   * ```
   */
  idempotency?: 'detect' | 'supported' | undefined;
}

/** Options of `client.request`. */
export interface CustomRequestOptions extends RequestOptions {
  /**
   * The body, sent as JSON. A GET has no body.
   *
   * @example
   * ```ts
   * const promo = { code: 'RAMADAN10', game_slug: 'mobile-legends', product_id: 901, payment_method_id: 12 };
   * await client.request('POST', '/promo/validate', { body: promo });
   * ```
   */
  body?: object | undefined;
  /**
   * The `Idempotency-Key` of a request that changes something: 1 to 255 visible ASCII characters. Default: a random key
   * of 128 bits. A service may ignore it, so the client never relies on it to send such a request again.
   *
   * @example
   * ```ts
   * const promo = { code: 'RAMADAN10', game_slug: 'mobile-legends', product_id: 901, payment_method_id: 12 };
   * await client.request('POST', '/promo/validate', { body: promo, idempotencyKey: crypto.randomUUID() });
   * ```
   */
  idempotencyKey?: string | undefined;
}

/** The goal of a wait: `final` for any final state, `paid` for the payment. */
export type WaitGoal = 'final' | 'paid';

/** Options of `orders.waitFor`. */
export interface WaitOptions<Goal extends WaitGoal = 'final'> {
  /**
   * The goal of the wait. `final` (the default): the order is delivered or has ended in another way. `paid`: the order is paid or has ended
   * without payment.
   *
   * @example
   * ```ts
   * const { outcome } = await client.orders.waitFor(orderId, { until: 'paid' });
   * ```
   */
  until?: Goal | undefined;
  /**
   * Aborts the wait, which then rejects with a `TopupAbortError`. The order itself is not affected.
   *
   * @example
   * ```ts
   * await client.orders.waitFor(orderId, { signal: AbortSignal.timeout(600_000) });
   * ```
   */
  signal?: AbortSignal | undefined;
  /**
   * Maximum time to wait, in milliseconds. After this time, the wait rejects with a `TopupWaitError`, code `WAIT_TIMEOUT`. Default: until
   * 15 minutes after the order's expiry (or 15 minutes from now if it has expired), at most 3 600 000 (one hour).
   *
   * @example
   * ```ts
   * await client.orders.waitFor(orderId, { timeout: 1_800_000 });
   * ```
   */
  timeout?: number | undefined;
  /**
   * Called with the first state, after every change of the state, and with the first state after failed polls (`onError`), even if it has
   * not changed. It is awaited. If it throws, the wait rejects with a `TopupUsageError`, code `HOOK_FAILED`.
   *
   * @example
   * ```ts
   * await client.orders.waitFor(orderId, { onUpdate: (state) => console.log(state.payment_status, state.buy_status) });
   * ```
   */
  onUpdate?: ((state: PaymentState) => void | Promise<void>) | undefined;
  /**
   * Called when a poll has failed after its retries and the wait continues. During an outage, it is called for each poll. It is awaited. If
   * it throws, the wait rejects with a `TopupUsageError`, code `HOOK_FAILED`.
   *
   * @example
   * ```ts
   * await client.orders.waitFor(orderId, {
   *   onError: ({ error, attempt, delay }) => console.warn(`${error.code} (${attempt}), again in ${delay} ms`),
   * });
   * ```
   */
  onError?:
    | ((failure: {
        /** Reason why the poll failed. */
        readonly error: AnyTopupError;
        /** Number of the failed attempt among all attempts of the wait, starting at 1. */
        readonly attempt: number;
        /** Time until the next poll, in milliseconds. */
        readonly delay: number;
      }) => void | Promise<void>)
    | undefined;
}
