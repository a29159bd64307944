import { TopupUsageError } from '../errors/index.ts';
import type { Fetch, Hooks, TopupClientOptions } from '../options.ts';
import type { Http } from '../sending/http.ts';
import { createKeySupport, type KeySupport } from '../sending/key-support.ts';
import { createLog, type Log } from '../sending/log.ts';
import { checkBaseUrl } from './base-url.ts';
import { refuse } from './check-option.ts';
import { checkHeaders } from './headers.ts';
import { inBrowser } from './in-browser.ts';
import { type Limits, resolveLimits } from './limits.ts';
import { visibleAscii } from './visible-ascii.ts';

/** The client's options, checked and complete. */
export interface Config {
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string | undefined;
  http: Http;
  fetch: Fetch;
  /** Whether failures to connect can be told: they cannot where a fetch of the user's may send more than once. */
  tellsConnecting: boolean;
  headers: Headers;
  limits: Limits;
  keySupport: KeySupport;
  hooks: Hooks;
  log: Log;
}

const defaults: Limits = { timeout: 30_000, totalTimeout: 90_000, retries: 2 };

export function resolveConfig(options: TopupClientOptions, http: Http): Config {
  const { baseUrl, apiKey, fetch, headers, hooks = {}, logger, logLevel = 'warn' } = options;
  return {
    baseUrl: checkBaseUrl(baseUrl),
    apiKey: checkApiKey(apiKey),
    http,
    // Looked up at each call, so that a fetch patched later (MSW, tracing) is the one called.
    fetch: checkFetch(fetch) ?? ((request) => globalThis.fetch(request)),
    tellsConnecting: fetch === undefined,
    headers: checkHeaders(headers),
    limits: resolveLimits(options, defaults),
    keySupport: createKeySupport(options.idempotency),
    hooks,
    log: createLog(logger, logLevel),
  };
}

function checkApiKey(apiKey: string | undefined): string | undefined {
  if (apiKey === undefined) return undefined;
  if (inBrowser()) {
    throw new TopupUsageError(
      'API_KEY_IN_BROWSER',
      'apiKey must not be in a browser, where anyone can read it. Leave it out, and make baseUrl the path of ' +
        '@topup-kit/sdk/proxy on your server.',
    );
  }
  if (typeof apiKey === 'string' && visibleAscii.test(apiKey)) return apiKey;
  throw new TopupUsageError('INVALID_API_KEY', 'apiKey must be visible ASCII characters, or left out.');
}

function checkFetch(fetch: Fetch | undefined): Fetch | undefined {
  if (fetch !== undefined && typeof fetch !== 'function') refuse('fetch', 'a function');
  return fetch;
}
