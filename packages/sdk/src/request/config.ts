import type { Fetch, Hooks, TopupClientOptions } from '../options.ts';
import type { Platform } from '../platform.ts';
import type { Http } from '../sending/http.ts';
import { createKeySupport, type KeySupport } from '../sending/idempotency.ts';
import { createLog, type Log } from '../sending/observe.ts';
import {
  checkNames,
  defaultOptionNames,
  type Limits,
  type NamesOf,
  rejectOption,
  resolveLimits,
} from './check-options.ts';
import { createHeaders, type HeaderMap } from './headers.ts';
import { createTarget } from './target.ts';

/** The client's options after validation, with defaults. */
export interface Config {
  target: ReturnType<typeof createTarget>;
  http: Http;
  Headers: Platform['Headers'];
  fetch: Fetch;
  /** Only with the runtime's fetch is a connection failure reliable: a custom fetch may send more than once. */
  builtInFetch: boolean;
  headers: HeaderMap;
  limits: Limits;
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
  const { fetch, headers, hooks = {}, logger, logLevel = 'warn' } = options;
  checkNames(hooks, hookNames);
  const { Headers } = platform;
  return {
    target: createTarget(options),
    http,
    Headers,
    // Looked up at each call, so that a fetch that is patched later (MSW, tracing) is used.
    fetch: checkFetch(fetch) ?? ((request) => platform.fetch(request)),
    builtInFetch: fetch === undefined,
    headers: createHeaders(headers, Headers),
    limits: resolveLimits(options, defaults),
    keySupport: createKeySupport(options.idempotency),
    hooks,
    log: createLog(logger, logLevel),
  };
}

function checkFetch(fetch: Fetch | undefined): Fetch | undefined {
  if (fetch !== undefined && typeof fetch !== 'function') rejectOption('fetch', 'a function');
  return fetch;
}
