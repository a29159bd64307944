import type { Operation } from '@topup-kit/core/contract';
import { type CallFacts, TopupUsageError } from '../errors/index.ts';
import type { RequestOptions } from '../options.ts';

/** An option's value must be one of those allowed. */
export function checkChoice(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) rejectOption(name, `one of ${allowed.join(', ')}`);
}

/** An option's value must be a number within these bounds. */
export function checkNumber(
  name: string,
  value: unknown,
  [least, most]: readonly [number, number],
  facts?: CallFacts,
): void {
  if (!(typeof value === 'number' && value >= least && value <= most))
    rejectOption(name, `a number from ${least} to ${most}`, facts);
}

export function rejectOption(name: string, allowed: string, facts?: CallFacts): never {
  throw new TopupUsageError('INVALID_OPTION', `${name} must be ${allowed}.`, facts);
}

/** Without a slash at its end. A path is taken from the page's own address, where there is a page. */
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

/** How long and how often a call may try. */
export type Limits = Required<{ [Name in 'timeout' | 'totalTimeout' | 'maxRetries']: number }>;

/** In milliseconds; timers of every runtime take no more than 2^31 - 1, almost 25 days. */
const timeoutBounds = [1, 2_147_483_647] as const;

/** The limits given, checked, and the defaults for the others. */
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
  // Another object would fail deep inside, as no error of this package.
  if (signal && typeof signal.addEventListener !== 'function')
    rejectOption('signal', 'an AbortSignal', { operation });
  return { timeout, totalTimeout, maxRetries };
}

/** What a header carries unchanged everywhere. */
export const visibleAscii = /^[\x21-\x7e]+$/;

/** Whether this is a browser, a worker of one included; a browser imitated for tests (jsdom) is none. */
export const inBrowser = (): boolean =>
  /^Mozilla\/(?!.*(jsdom|HappyDOM))/.test(globalThis.navigator?.userAgent ?? '');
