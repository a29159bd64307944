import { endpoints, type Operation } from '@topup-kit/core/contract';
import { TopupUsageError } from '../errors/index.ts';
import type { Fetch } from '../options.ts';
import { checkBaseUrl } from '../request/base-url.ts';
import { inBrowser } from '../request/in-browser.ts';
import { visibleAscii } from '../request/visible-ascii.ts';
import { defaultRoutes, type TopupProxyOptions } from './options.ts';

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
  /** Whether failures to connect can be told: not where a fetch of the user's may send more than once. */
  tellsConnecting: boolean;
  timeout: number;
}

/** A shorter one could be guessed, and to take it out of answers would take out honest text. */
const shortestKey = 8;
/** Timers of every runtime take no more: 2^31 - 1 ms, almost 25 days. */
const longestTimeout = 2_147_483_647;

const fail = (message: string): never => {
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
    tellsConnecting: fetch === undefined,
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
  if (typeof apiKey === 'string' && apiKey.length >= shortestKey && visibleAscii.test(apiKey)) return apiKey;
  throw new TopupUsageError(
    'INVALID_API_KEY',
    `apiKey must be at least ${shortestKey} visible ASCII characters, without spaces or line breaks.`,
  );
}

/** A path that a URL would change never arrives as it was written. */
function checkBasePath(basePath: string): string {
  const asUrl = typeof basePath === 'string' ? URL.parse(basePath, 'http://proxy.invalid') : null;
  if (asUrl !== null && asUrl.pathname === basePath) return basePath.replace(/\/$/, '');
  return fail('basePath must be the path that the proxy is mounted at, such as /api/topup.');
}

function checkRoutes(routes: readonly Operation[]): readonly Operation[] {
  const known =
    Array.isArray(routes) && routes.length > 0 && routes.every((name) => Object.hasOwn(endpoints, name));
  return known ? routes : fail(`routes must name operations: ${Object.keys(endpoints).join(', ')}.`);
}

function checkOrigin(origin: string): string {
  const url = URL.parse(origin);
  if (url?.origin === origin && /^https?:$/.test(url.protocol)) return origin;
  return fail('origins must be as browsers send them: scheme, host and port, such as https://shop.example.');
}

function checkRateLimit(rateLimit: NonNullable<TopupProxyOptions['rateLimit']>): ProxyConfig['rateLimit'] {
  if (rateLimit === false) return undefined;
  const { reads = 120, orders = 20 } = rateLimit;
  return { reads: checkCount(reads, 'rateLimit.reads'), orders: checkCount(orders, 'rateLimit.orders') };
}

function checkCount(count: number, name: string): number {
  return Number.isSafeInteger(count) && count > 0 ? count : fail(`${name} must be a whole number above 0.`);
}

function checkTimeout(timeout: number): number {
  if (timeout > 0 && timeout <= longestTimeout) return timeout;
  return fail(`timeout must be more than 0 and at most ${longestTimeout} milliseconds.`);
}
