import { endpoints, type Operation } from '@topup-kit/core/contract';
import { parseUrl } from '@topup-kit/core/http';
import { TopupUsageError } from '../errors/index.ts';
import type { Fetch, Logger } from '../options.ts';
import {
  canForbidCaching,
  checkBaseUrl,
  checkNames,
  inBrowser,
  type NamesOf,
  visibleAscii,
} from '../request/check-options.ts';

/** Maximum requests per minute for each client address. */
export interface ProxyRateLimit {
  /**
   * Limit for all operations except `createOrder`. Default: 120.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', rateLimit: { reads: 300 } });
   * ```
   */
  reads?: number | undefined;
  /**
   * Limit for `createOrder`. Default: 20.
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
   * Base URL of the service's API (`{base_url}` of the interface): an absolute http(s) URL without credentials, query
   * or fragment. The proxy sends requests only there. `undefined`, for example from a missing environment variable, throws.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl: 'https://shop.example/api', apiKey: 'tk_live_...', basePath: '/api/topup' });
   * ```
   */
  baseUrl: string | undefined;
  /**
   * Your API key, sent to the service as `X-API-KEY` (interface 5): at least 8 visible ASCII characters. It is removed
   * from every response. `undefined`, for example from a missing environment variable, throws.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: process.env.TOPUP_API_KEY ?? 'tk_live_...', basePath: '/api/topup' });
   * ```
   */
  apiKey: string | undefined;
  /**
   * The path of the proxy on your server. The client in the browser uses it as `baseUrl`.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup' });
   * ```
   */
  basePath: string;
  /**
   * Operations that browsers may call. Default: `defaultRoutes`, which has all except `getInvoice`. `getInvoice` would show the customer's
   * phone number and e-mail address to anyone with the order id. `listOrders` and `listEvents` are not allowed, because they return the
   * orders of all customers.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', routes: ['listGames', 'getGame'] });
   * ```
   */
  routes?: readonly ProxyOperation[] | undefined;
  /**
   * Other origins whose pages may use the proxy, such as `https://site.example`. Pages of the proxy's own origin may always use it.
   * Default: none.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', origins: ['https://site.example'] });
   * ```
   */
  origins?: readonly string[] | undefined;
  /**
   * Maximum size of a request body, in bytes. Default: 65 536 (64 KiB).
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', maxBodyBytes: 4_096 });
   * ```
   */
  maxBodyBytes?: number | undefined;
  /**
   * The proxy's own rate limits for each client address, counted only in this process. `false` turns them off, for example if a reverse
   * proxy has its own limits.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', rateLimit: false });
   * ```
   */
  rateLimit?: ProxyRateLimit | false | undefined;
  /**
   * True to send the address of the browser's client to the service, in `X-Topup-Customer-IP`. A Topup Kit service then limits each
   * customer separately if its operator created your key with `--trusted`. It ignores the header for other keys. Default: false.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', passCustomerIp: true });
   * ```
   */
  passCustomerIp?: boolean | undefined;
  /**
   * True to forward the world that a test's request names, in `X-Topup-World`. See `passWorld` of `@topup-kit/sdk/worlds`, which does the
   * same for clients. A live service ignores the header. Default: false.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_test_...', basePath: '/api/topup', passWorld: true });
   * ```
   */
  passWorld?: boolean | undefined;
  /**
   * Called for every request to the service instead of the runtime's `fetch`.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', fetch: (request) => fetch(request) });
   * ```
   */
  fetch?: Fetch | undefined;
  /**
   * Logs a warning if the service rejects the key, can't be reached, or does not respond with JSON. Default: the console, once per reason.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', logger: console });
   * ```
   */
  logger?: Pick<Logger, 'warn'> | undefined;
  /**
   * Time limit for the service's whole response, and for reading the browser's request body, in milliseconds. Default: 30 000.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', timeout: 10_000 });
   * ```
   */
  timeout?: number | undefined;
}

/** Operations that can be allowed for browsers. `listOrders` and `listEvents` can't, because they return the orders of all customers. */
export type ProxyOperation = Exclude<Operation, 'listOrders' | 'listEvents'>;

const proxyOperations = Object.keys(endpoints).filter((name) => !/^list(Order|Event)s$/.test(name));

/** The default of `routes`: all operations for a checkout. None of them shows a customer's phone number or e-mail address. */
export const defaultRoutes = [
  'listGames',
  'getGame',
  'getCheckout',
  'createOrder',
  'getPaymentStatus',
  'validatePromo',
  'checkAccount',
] as const satisfies readonly ProxyOperation[];

/** The proxy's options after validation, with defaults. */
export interface ProxyConfig {
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string;
  /** Without a trailing slash; empty for the root. */
  basePath: string;
  routes: readonly ProxyOperation[];
  origins: ReadonlySet<string>;
  maxBodyBytes: number;
  /** Requests per minute; undefined for no limit. */
  rateLimit: { reads: number; orders: number } | undefined;
  passCustomerIp: boolean;
  passWorld: boolean;
  fetch: Fetch;
  /** True with the runtime's fetch, whose connection failures prove that nothing was sent. A custom fetch may send several times. */
  builtInFetch: boolean;
  noStore: boolean;
  reached: boolean;
  logger: TopupProxyOptions['logger'];
  timeout: number;
}

/** Minimum length of a key. A shorter key could be guessed, and removing it from responses could remove ordinary text. */
const minKeyLength = 8;
/** Timers of all runtimes are limited to 2^31 - 1 ms, almost 25 days. */
const maxTimeout = 2_147_483_647;

const invalidOption = (message: string): never => {
  throw new TopupUsageError('INVALID_PROXY_OPTION', message);
};

const optionNames: NamesOf<TopupProxyOptions> = {
  baseUrl: true,
  apiKey: true,
  basePath: true,
  routes: true,
  origins: true,
  maxBodyBytes: true,
  rateLimit: true,
  passCustomerIp: true,
  passWorld: true,
  fetch: true,
  logger: true,
  timeout: true,
};

/** Validates the options. Throws a `TopupUsageError` that names the invalid option, but never its value. */
export function checkOptions(options: TopupProxyOptions): ProxyConfig {
  checkNames(options, optionNames);
  const { baseUrl, apiKey, basePath, routes, origins, maxBodyBytes, rateLimit, fetch, logger, timeout } =
    options;
  const { passCustomerIp = false, passWorld = false } = options;
  for (const [name, value] of Object.entries({ passCustomerIp, passWorld }))
    if (typeof value !== 'boolean') invalidOption(`${name} must be true or false.`);
  return {
    baseUrl: withoutSlash(checkServiceUrl(baseUrl)),
    apiKey: checkApiKey(apiKey),
    basePath: checkBasePath(basePath),
    routes: checkRoutes(routes ?? defaultRoutes),
    origins: new Set((origins ?? []).map(checkOrigin)),
    maxBodyBytes: checkCount(maxBodyBytes ?? 65_536, 'maxBodyBytes'),
    rateLimit: checkRateLimit(rateLimit ?? {}),
    passCustomerIp,
    passWorld,
    // `fetch` is looked up at each call, so that a later patch (MSW, tracing) is used.
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
    builtInFetch: fetch === undefined,
    noStore: canForbidCaching(Request),
    reached: false,
    logger,
    timeout: checkTimeout(timeout ?? 30_000),
  };
}

const checkServiceUrl = (baseUrl: string | undefined): URL => {
  if (baseUrl !== undefined) return checkBaseUrl(baseUrl);
  throw new TopupUsageError('INVALID_BASE_URL', 'baseUrl is undefined: its environment variable is not set.');
};

const withoutSlash = ({ origin, pathname }: URL): string => origin + pathname.replace(/\/+$/, '');

function checkApiKey(apiKey: string | undefined): string {
  if (inBrowser()) {
    throw new TopupUsageError(
      'API_KEY_IN_BROWSER',
      'the proxy contains your apiKey, so it must run on your server.',
    );
  }
  if (typeof apiKey === 'string' && apiKey.length >= minKeyLength && visibleAscii.test(apiKey)) return apiKey;
  throw new TopupUsageError(
    'INVALID_API_KEY',
    apiKey === undefined
      ? 'apiKey is undefined: its environment variable is not set.'
      : `apiKey must be at least ${minKeyLength} visible ASCII characters, without spaces or line breaks.`,
  );
}

/** Rejects router patterns, and paths that a URL would normalise, because no request would match them. */
function checkBasePath(basePath: string): string {
  const asUrl = typeof basePath === 'string' ? parseUrl(basePath, 'http://proxy.invalid') : undefined;
  if (asUrl !== undefined && asUrl.pathname === basePath && !/[*:]/.test(basePath))
    return basePath.replace(/\/$/, '');
  return invalidOption(
    'basePath must be the path of the proxy on your server, such as /api/topup: no pattern of a router.',
  );
}

function checkRoutes(routes: readonly ProxyOperation[]): readonly ProxyOperation[] {
  const known =
    Array.isArray(routes) && routes.length > 0 && routes.every((name) => proxyOperations.includes(name));
  return known
    ? routes
    : invalidOption(`routes must be a list of operations: ${proxyOperations.join(', ')}.`);
}

function checkOrigin(origin: string): string {
  const url = parseUrl(origin);
  if (url?.origin === origin && /^https?:$/.test(url.protocol)) return origin;
  return invalidOption('origins must consist of scheme, host and port, such as https://shop.example.');
}

const rateLimitNames: NamesOf<ProxyRateLimit> = { reads: true, orders: true };

function checkRateLimit(rateLimit: NonNullable<TopupProxyOptions['rateLimit']>): ProxyConfig['rateLimit'] {
  if (rateLimit === false) return undefined;
  checkNames(rateLimit, rateLimitNames);
  const { reads = 120, orders = 20 } = rateLimit;
  return { reads: checkCount(reads, 'rateLimit.reads'), orders: checkCount(orders, 'rateLimit.orders') };
}

function checkCount(count: number, name: string): number {
  return Number.isSafeInteger(count) && count > 0
    ? count
    : invalidOption(`${name} must be an integer greater than 0.`);
}

function checkTimeout(timeout: number): number {
  if (timeout > 0 && timeout <= maxTimeout) return timeout;
  return invalidOption(`timeout must be greater than 0 and at most ${maxTimeout} milliseconds.`);
}
