import { endpoints, type Operation } from '@topup-kit/core/contract';
import { TopupUsageError } from '../errors/index.ts';
import type { Fetch } from '../options.ts';
import { checkBaseUrl, inBrowser, visibleAscii } from '../request/check-options.ts';

/** Requests that one client address may make in a minute. */
export interface ProxyRateLimit {
  /**
   * All that makes no order; 120 when left out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', rateLimit: { reads: 300 } });
   * ```
   */
  reads?: number | undefined;
  /**
   * `createOrder`; 20 when left out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', rateLimit: { orders: 5 } });
   * ```
   */
  orders?: number | undefined;
}

/** Options of `createTopupProxy`. */
export interface TopupProxyOptions {
  /**
   * Where the service's paths begin (`{base_url}` of the interface): an absolute http(s) URL without
   * credentials, query or fragment. Requests go there and nowhere else.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl: 'https://shop.example/api', apiKey: 'tk_live_...', basePath: '/api/topup' });
   * ```
   */
  baseUrl: string;
  /**
   * Sent to the service as `X-API-KEY` (interface 5): at least 8 visible ASCII characters. No answer holds it. An
   * undefined one, from an environment without it, is refused at once.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: process.env.TOPUP_API_KEY ?? 'tk_live_...', basePath: '/api/topup' });
   * ```
   */
  apiKey: string | undefined;
  /**
   * The path that your server mounts the proxy at: what the browser's client has as `baseUrl`.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup' });
   * ```
   */
  basePath: string;
  /**
   * Operations that a browser may call. When left out: all but `getInvoice`, which shows the phone number and
   * e-mail address of whoever ordered to anyone who has the order id.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', routes: ['listGames', 'getGame'] });
   * ```
   */
  routes?: readonly Operation[] | undefined;
  /**
   * Other origins whose pages may use the proxy, as browsers send them; its own always may. None when left
   * out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', origins: ['https://site.example'] });
   * ```
   */
  origins?: readonly string[] | undefined;
  /**
   * The longest request body, in bytes; 65 536 (64 KiB) when left out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', maxBodyBytes: 4_096 });
   * ```
   */
  maxBodyBytes?: number | undefined;
  /**
   * The proxy's own limits for each client address, counted in this process alone; `false` for none, where
   * something in front of it counts.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', rateLimit: false });
   * ```
   */
  rateLimit?: ProxyRateLimit | false | undefined;
  /**
   * Called for every request to the service instead of the runtime's `fetch`; also the place to log from.
   *
   * @example
   * ```ts
   * createTopupProxy({
   *   baseUrl,
   *   apiKey: 'tk_live_...',
   *   basePath: '/api/topup',
   *   fetch: async (request) => {
   *     const response = await fetch(request);
   *     if (!response.ok) logger.warn('the service refused', { url: request.url, status: response.status });
   *     return response;
   *   },
   * });
   * ```
   */
  fetch?: Fetch | undefined;
  /**
   * Time for the service's whole answer, in milliseconds, and again for reading the browser's body; 30 000 when
   * left out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', timeout: 10_000 });
   * ```
   */
  timeout?: number | undefined;
}

/** What `routes` is when it is left out: all that a checkout needs and nothing that shows who ordered. */
export const defaultRoutes = [
  'listGames',
  'getGame',
  'getCheckout',
  'createOrder',
  'getPaymentStatus',
  'validatePromo',
] as const satisfies readonly Operation[];

/** The proxy's options, checked and complete. */
export interface ProxyConfig {
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  /** Without a slash at its end; empty for the root. */
  basePath: string;
  routes: readonly Operation[];
  origins: ReadonlySet<string>;
  maxBodyBytes: number;
  /** A minute; undefined for no limit. */
  rateLimit: { reads: number; orders: number } | undefined;
  fetch: Fetch;
  /** A failure to connect is certain with the runtime's own fetch alone: a user's may send more than once. */
  builtInFetch: boolean;
  timeout: number;
}

/** A shorter one could be guessed, and to take it out of answers would take out honest text. */
const minKeyLength = 8;
/** Timers of every runtime take no more: 2^31 - 1 ms, almost 25 days. */
const maxTimeoutMs = 2_147_483_647;

const invalidOption = (message: string): never => {
  throw new TopupUsageError('INVALID_PROXY_OPTION', message);
};

/** Throws a `TopupUsageError` that names the option and never its value. */
export function checkOptions(options: TopupProxyOptions): ProxyConfig {
  const { baseUrl, apiKey, basePath, routes, origins, maxBodyBytes, rateLimit, fetch, timeout } = options;
  return {
    baseUrl: checkBaseUrl(baseUrl),
    apiKey: checkApiKey(apiKey),
    basePath: checkBasePath(basePath),
    routes: checkRoutes(routes ?? defaultRoutes),
    origins: new Set((origins ?? []).map(checkOrigin)),
    maxBodyBytes: checkCount(maxBodyBytes ?? 65_536, 'maxBodyBytes'),
    rateLimit: checkRateLimit(rateLimit ?? {}),
    // Looked up at each call, so that a fetch patched later (MSW, tracing) is the one called.
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
    builtInFetch: fetch === undefined,
    timeout: checkTimeout(timeout ?? 30_000),
  };
}

function checkApiKey(apiKey: string | undefined): string {
  if (inBrowser()) {
    throw new TopupUsageError(
      'API_KEY_IN_BROWSER',
      'the proxy holds your apiKey: it belongs on your server.',
    );
  }
  if (typeof apiKey === 'string' && apiKey.length >= minKeyLength && visibleAscii.test(apiKey)) return apiKey;
  throw new TopupUsageError(
    'INVALID_API_KEY',
    `apiKey must be at least ${minKeyLength} visible ASCII characters, without spaces or line breaks.`,
  );
}

/** A path that a URL would change never arrives as it was written. */
function checkBasePath(basePath: string): string {
  const asUrl = typeof basePath === 'string' ? URL.parse(basePath, 'http://proxy.invalid') : null;
  if (asUrl !== null && asUrl.pathname === basePath) return basePath.replace(/\/$/, '');
  return invalidOption('basePath must be the path that the proxy is mounted at, such as /api/topup.');
}

function checkRoutes(routes: readonly Operation[]): readonly Operation[] {
  const known =
    Array.isArray(routes) && routes.length > 0 && routes.every((name) => Object.hasOwn(endpoints, name));
  return known ? routes : invalidOption(`routes must name operations: ${Object.keys(endpoints).join(', ')}.`);
}

function checkOrigin(origin: string): string {
  const url = URL.parse(origin);
  if (url?.origin === origin && /^https?:$/.test(url.protocol)) return origin;
  return invalidOption(
    'origins must be as browsers send them: scheme, host and port, such as https://shop.example.',
  );
}

function checkRateLimit(rateLimit: NonNullable<TopupProxyOptions['rateLimit']>): ProxyConfig['rateLimit'] {
  if (rateLimit === false) return undefined;
  const { reads = 120, orders = 20 } = rateLimit;
  return { reads: checkCount(reads, 'rateLimit.reads'), orders: checkCount(orders, 'rateLimit.orders') };
}

function checkCount(count: number, name: string): number {
  return Number.isSafeInteger(count) && count > 0
    ? count
    : invalidOption(`${name} must be a whole number above 0.`);
}

function checkTimeout(timeout: number): number {
  if (timeout > 0 && timeout <= maxTimeoutMs) return timeout;
  return invalidOption(`timeout must be more than 0 and at most ${maxTimeoutMs} milliseconds.`);
}
