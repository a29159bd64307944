import type { Operation } from '@topup-kit/core/contract';
import type { CallMetadata } from '../errors/index.ts';
import type { RequestMetadata } from '../errors/topup-error.ts';
import type { ClientOptions } from '../options.ts';
import type { Platform } from '../platform.ts';
import {
  canForbidCaching,
  defaultOptionNames,
  inBrowser,
  type Limits,
  type NamesOf,
  rejectOption,
  resolveLimits,
} from '../request/check-options.ts';
import { createHeaders, type HeaderMap } from '../request/headers.ts';
import { createTarget, type Target } from '../request/target.ts';
import type { SendHttp } from './http.ts';
import { createKeySupport, type KeySupport } from './idempotency.ts';
import { createObservers, type Observers } from './observe.ts';

/** Checks a successful response of an operation before it is returned to the user. Throws to reject it. */
export interface CheckResponse {
  (operation: Operation, body: unknown, response: Response, metadata: RequestMetadata): void;
  /** Warnings that were already logged. */
  seen?: Set<string>;
}

/** The validated client options with defaults, and what the client has learned so far. */
export interface Config {
  options: ClientOptions;
  /** The service and the key; a function if they depend on the environment, which is read at each call. */
  target: Target | ((metadata: CallMetadata) => Target);
  http: SendHttp;
  platform: Platform;
  noStore: boolean;
  /**
   * True to read bodies in parts, up to a limit. It is false in plain Jest with jsdom, which has no TextDecoder, and in browsers, because
   * Chromium shows such a request as cancelled.
   */
  limitsBody: boolean;
  headers: HeaderMap;
  limits: Limits;
  check: CheckResponse | undefined;
  observers: Observers | undefined;
  /** Set after the first response. */
  reached?: true;
  keySupport: KeySupport;
}

/** The options of a client in both entries. */
export const clientOptionNames: NamesOf<ClientOptions> = {
  baseUrl: true,
  apiKey: true,
  fetch: true,
  idempotency: true,
  hooks: true,
  logger: true,
  logLevel: true,
  ...defaultOptionNames,
};

const defaults: Limits = { timeout: 30_000, totalTimeout: 90_000, maxRetries: 2 };

/** Differences between the entries: their options, HTTP implementation and check of responses. */
export interface Entry<Options extends ClientOptions> {
  names: NamesOf<Options>;
  http: SendHttp;
  /** `before` is the check of the client that this one is derived from. */
  check?: (options: Options, before?: CheckResponse) => CheckResponse | undefined;
}

/** `base` is the configuration of the client that this one is derived from. */
export function resolveConfig<Options extends ClientOptions>(
  options: Options,
  entry: Entry<Options>,
  platform: Platform,
  base?: Config,
): Config {
  const { fetch, headers, idempotency } = options;
  if (fetch !== undefined && typeof fetch !== 'function') rejectOption('fetch', 'a function');
  return {
    options,
    target: createTarget(options),
    http: entry.http,
    platform,
    noStore: canForbidCaching(platform.Request),
    limitsBody: typeof TextDecoder !== 'undefined' && !inBrowser(),
    headers: createHeaders(headers, platform.Headers, base?.headers),
    limits: resolveLimits(options, defaults),
    check: entry.check?.(options, base?.check),
    observers: createObservers(options),
    keySupport:
      base &&
      options.baseUrl === base.options.baseUrl &&
      fetch === base.options.fetch &&
      idempotency === base.options.idempotency
        ? base.keySupport
        : createKeySupport(idempotency),
  };
}
