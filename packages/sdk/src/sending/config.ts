import type { Fetch, Hooks, TopupClientOptions } from '../options.ts';
import type { Platform } from '../platform.ts';
import {
  canForbidCaching,
  checkNames,
  defaultOptionNames,
  type Limits,
  type NamesOf,
  rejectOption,
  resolveLimits,
} from '../request/check-options.ts';
import { createHeaders } from '../request/headers.ts';
import type { RequestConfig } from '../request/prepare.ts';
import { createTarget } from '../request/target.ts';
import type { Http } from './http.ts';
import { createKeySupport, type KeySupport } from './idempotency.ts';
import { createLog, type Log } from './observe.ts';

/** The client's options after validation, with defaults. */
export interface Config extends RequestConfig {
  http: Http;
  fetch: Fetch;
  /** Only with the runtime's fetch is a connection failure reliable: a custom fetch may send more than once. */
  builtInFetch: boolean;
  noStore: boolean;
  /** Whether there was a response before. */
  reached: boolean;
  keySupport: KeySupport;
  hooks: Hooks;
  log: Log;
}

/** The options of a client in both entries. */
export const clientOptionNames: NamesOf<TopupClientOptions> = {
  baseUrl: true,
  apiKey: true,
  fetch: true,
  idempotency: true,
  hooks: true,
  logger: true,
  logLevel: true,
  ...defaultOptionNames,
};

const hookNames: NamesOf<Hooks> = { onRequest: true, onResponse: true, onRetry: true };

const defaults: Limits = { timeout: 30_000, totalTimeout: 90_000, maxRetries: 2 };

export function resolveConfig(options: TopupClientOptions, http: Http, platform: Platform): Config {
  const { fetch, headers, hooks = {} } = options;
  checkNames(hooks, hookNames);
  const { Headers } = platform;
  return {
    target: createTarget(options),
    http,
    Headers,
    // Looked up at each call, so that a fetch that is patched later (MSW, tracing) is used.
    fetch: checkFetch(fetch) ?? ((request) => platform.fetch(request)),
    builtInFetch: fetch === undefined,
    noStore: canForbidCaching(platform.Request),
    reached: false,
    headers: createHeaders(headers, Headers),
    limits: resolveLimits(options, defaults),
    keySupport: createKeySupport(options.idempotency),
    hooks,
    log: createLog(options),
  };
}

function checkFetch(fetch: Fetch | undefined): Fetch | undefined {
  if (fetch !== undefined && typeof fetch !== 'function') rejectOption('fetch', 'a function');
  return fetch;
}
