import type { Operation } from '@topup-kit/core/contract';
import { type CallFacts, TopupUsageError } from '../errors/index.ts';
import type { RequestOptions } from '../options.ts';

/** Throws unless the value of an option is one of those allowed. */
export function checkChoice(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) rejectOption(name, `one of ${allowed.join(', ')}`);
}

/** Throws unless the value of an option is a number within the bounds. */
export function checkNumber(
  name: string,
  value: unknown,
  [min, max]: readonly [number, number],
  facts?: CallFacts,
): void {
  if (!(typeof value === 'number' && value >= min && value <= max))
    rejectOption(name, `a number from ${min} to ${max}`, facts);
}

export function rejectOption(name: string, allowed: string, facts?: CallFacts): never {
  throw new TopupUsageError('INVALID_OPTION', `${name} must be ${allowed}.`, facts);
}

/** Returns the base URL without a trailing slash. In a browser, a path is resolved against the page's URL. */
export function checkBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(baseUrl)) {
    throw new TopupUsageError(
      'INVALID_BASE_URL',
      'baseUrl must be an absolute http(s) URL (in a browser: or a path) without credentials, query or fragment.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function parseUrl(baseUrl: string): URL | undefined {
  try {
    return new URL(baseUrl, /^\//.test(baseUrl) ? globalThis.location?.href : undefined);
  } catch {
    return undefined;
  }
}

/** The time limits and the maximum retries of a call. */
export type Limits = Required<{ [Name in 'timeout' | 'totalTimeout' | 'maxRetries']: number }>;

/** In milliseconds. Timers of all runtimes are limited to 2^31 - 1 ms, almost 25 days. */
const timeoutBounds = [1, 2_147_483_647] as const;

/** Checks the given limits and fills in the defaults. */
export function resolveLimits(given: RequestOptions, defaults: Limits, operation?: Operation): Limits {
  const {
    timeout = defaults.timeout,
    totalTimeout = defaults.totalTimeout,
    maxRetries = defaults.maxRetries,
    signal,
  } = given;
  checkNumber('timeout', timeout, timeoutBounds, { operation });
  checkNumber('totalTimeout', totalTimeout, timeoutBounds, { operation });
  checkNumber('maxRetries', maxRetries, [0, 100], { operation });
  // Another object would fail later, with an error that is not a TopupError.
  if (signal && typeof signal.addEventListener !== 'function')
    rejectOption('signal', 'an AbortSignal', { operation });
  return { timeout, totalTimeout, maxRetries };
}

/** Characters that a header value can carry unchanged everywhere. */
export const visibleAscii = /^[\x21-\x7e]+$/;

/** Whether this code runs in a browser or in a worker of one. A simulated browser (jsdom, Happy DOM) doesn't count. */
export const inBrowser = (): boolean =>
  /^Mozilla\/(?!.*(jsdom|HappyDOM))/.test(globalThis.navigator?.userAgent ?? '');
