import { TopupUsageError } from '../errors/index.ts';
import type { Fetch, Hooks, TopupClientOptions } from '../options.ts';
import type { Http } from '../sending/http.ts';
import { createKeySupport, type KeySupport } from '../sending/idempotency.ts';
import { createLog, type Log } from '../sending/observe.ts';
import {
  checkBaseUrl,
  inBrowser,
  type Limits,
  rejectOption,
  resolveLimits,
  visibleAscii,
} from './check-options.ts';
import { createHeaders } from './headers.ts';

/** The client's options after validation, with defaults. */
export interface Config {
  /** Scheme, host and port. */
  origin: string;
  /** Without a trailing slash. */
  basePath: string;
  apiKey: string | undefined;
  http: Http;
  fetch: Fetch;
  /** Only with the runtime's fetch is a connection failure reliable: a custom fetch may send more than once. */
  builtInFetch: boolean;
  headers: Headers;
  limits: Limits;
  keySupport: KeySupport;
  hooks: Hooks;
  log: Log;
}

const defaults: Limits = { timeout: 30_000, totalTimeout: 90_000, maxRetries: 2 };

export function resolveConfig(options: TopupClientOptions, http: Http): Config {
  const { baseUrl, apiKey, fetch, headers, hooks = {}, logger, logLevel = 'warn' } = options;
  const { origin, pathname } = new URL(checkBaseUrl(baseUrl));
  checkApiKey(apiKey);
  return {
    origin,
    basePath: pathname.replace(/\/$/, ''),
    apiKey,
    http,
    // Looked up at each call, so that a fetch that is patched later (MSW, tracing) is used.
    fetch: checkFetch(fetch) ?? ((request) => globalThis.fetch(request)),
    builtInFetch: fetch === undefined,
    headers: createHeaders(headers, apiKey),
    limits: resolveLimits(options, defaults),
    keySupport: createKeySupport(options.idempotency),
    hooks,
    log: createLog(logger, logLevel),
  };
}

function checkApiKey(apiKey: string | undefined): void {
  if (apiKey === undefined) return;
  if (inBrowser()) {
    throw new TopupUsageError(
      'API_KEY_IN_BROWSER',
      'apiKey must not be used in a browser, where anyone can read it. Remove it, and set baseUrl to the path of ' +
        '@topup-kit/sdk/proxy on your server.',
    );
  }
  if (typeof apiKey === 'string' && visibleAscii.test(apiKey)) return;
  throw new TopupUsageError('INVALID_API_KEY', 'apiKey must be visible ASCII characters or undefined.');
}

function checkFetch(fetch: Fetch | undefined): Fetch | undefined {
  if (fetch !== undefined && typeof fetch !== 'function') rejectOption('fetch', 'a function');
  return fetch;
}
