import { parseUrl } from '@topup-kit/core/http';
import { type CallMetadata, TopupUsageError } from '../errors/index.ts';
import type { CreateOrderOptions, RequestOptions } from '../options.ts';

/** All option names of an interface. */
export type NamesOf<Options> = Readonly<Record<keyof Required<Options>, true>>;

/** Returns the share of common letters in two words. This takes less code in a bundle than the edit distance. */
function likeness(typed: string, word: string): number {
  let rest = word.toLowerCase();
  for (const letter of typed.toLowerCase()) rest = rest.replace(letter, '');
  return (2 * (word.length - rest.length)) / (typed.length + word.length);
}

/**
 * Throws for an unknown option, because a mistyped option would silently do nothing. `lenient` allows names that resemble no option,
 * because a library may call a read with its own context, such as `queryFn: client.games.list` in TanStack Query.
 */
export function checkNames<Options extends object>(
  given: Options,
  known: NamesOf<Options>,
  metadata?: CallMetadata,
  lenient = false,
): void {
  if (Object(given) !== given) rejectOption('the options', 'an object', metadata);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const [meant] = names
      .filter((known) => likeness(name, known) > 0.7)
      .sort((a, b) => likeness(name, b) - likeness(name, a));
    if (lenient && !meant) continue;
    throw new TopupUsageError(
      'INVALID_OPTION',
      `unknown option ${name}.${meant ? ` Did you mean ${meant}?` : ''} The options are ${names.join(', ')}.`,
      metadata,
    );
  }
}

/** Options of every call that clients also accept as defaults. */
export const defaultOptionNames: NamesOf<Omit<RequestOptions, 'signal'>> = {
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  headers: true,
};

/** The options of every call. */
export const callOptionNames: NamesOf<RequestOptions> = { signal: true, ...defaultOptionNames };

/** Throws unless an option has an allowed value. */
export function checkChoice(
  name: string,
  value: unknown,
  allowed: readonly unknown[],
  metadata?: CallMetadata,
): void {
  if (!allowed.includes(value)) rejectOption(name, `one of ${allowed.join(', ')}`, metadata);
}

/** Throws unless an option is a number within the bounds. */
export function checkNumber(
  name: string,
  value: unknown,
  [min, max]: readonly [number, number],
  metadata?: CallMetadata,
): void {
  if (!(typeof value === 'number' && value >= min && value <= max))
    rejectOption(name, `a number from ${min} to ${max}`, metadata);
}

export function rejectOption(name: string, allowed: string, metadata?: CallMetadata): never {
  throw new TopupUsageError('INVALID_OPTION', `${name} must be ${allowed}.`, metadata);
}

/** Tells whether a base URL is a path, which belongs to the page's own origin. */
export const isPath = (baseUrl: string): boolean => /^\//.test(baseUrl);

/** Returns the base URL. A path is resolved against the page's URL. */
export function checkBaseUrl(baseUrl: string, metadata?: CallMetadata, name = 'baseUrl'): URL {
  const url = parseUrl(baseUrl, isPath(baseUrl) ? globalThis.location?.href : undefined);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(baseUrl))
    return url;
  throw new TopupUsageError(
    'INVALID_BASE_URL',
    /^\/[^?#]*$/.test(baseUrl)
      ? `${name} ${baseUrl} is relative, and there is no page. Call it only in the browser (in an effect ` +
          'or handler), or use an absolute URL.'
      : `${name} must be an absolute http(s) URL (in a browser: or a path) without credentials, query or fragment${shown(baseUrl)}`,
    metadata,
  );
}

/** Formats an invalid base URL for a message, without possible secrets. Points out a missing scheme. */
const shown = (baseUrl: string): string =>
  /^tk_|[@?#]/.test(baseUrl)
    ? '.'
    : `, not '${baseUrl}'.${/^(localhost|[\w-]+(\.\w|:\d))/.test(baseUrl) ? ` Did you mean http://${baseUrl}?` : ''}`;

/** The time limits and the maximum retries of a call. */
export type Limits = Required<{ [Name in 'timeout' | 'totalTimeout' | 'maxRetries']: number }>;

/** Minimum and maximum of time limits, in milliseconds. Timers of all runtimes are limited to 2^31 - 1 ms, almost 25 days. */
const timeoutBounds = [1, 2_147_483_647] as const;

/** Checks the given limits and fills in the defaults. */
export function resolveLimits(given: RequestOptions, defaults: Limits, metadata?: CallMetadata): Limits {
  const {
    timeout = defaults.timeout,
    totalTimeout = defaults.totalTimeout,
    maxRetries = defaults.maxRetries,
    signal,
  } = given;
  checkNumber('timeout', timeout, timeoutBounds, metadata);
  checkNumber('totalTimeout', totalTimeout, timeoutBounds, metadata);
  checkNumber('maxRetries', maxRetries, [0, 100], metadata);
  // Other objects would fail later with an error that is not a TopupError.
  if (signal && typeof signal.addEventListener !== 'function')
    rejectOption('signal', 'an AbortSignal', metadata);
  return { timeout, totalTimeout, maxRetries };
}

const orderOptionNames: NamesOf<CreateOrderOptions> = {
  ...callOptionNames,
  idempotencyKey: true,
  idempotency: true,
};

/** Checks the options of a call and returns its limits. `client.request` has its own option names. */
export function checkCallOptions(
  options: CreateOrderOptions,
  metadata: CallMetadata,
  lenient: boolean,
  defaults: Limits,
): Limits {
  const { operation } = metadata;
  const names = operation === 'createOrder' ? orderOptionNames : callOptionNames;
  if (operation !== 'request') checkNames<RequestOptions>(options, names, metadata, lenient);
  return resolveLimits(options, defaults, metadata);
}

/** Characters that a header value can carry unchanged everywhere. */
export const visibleAscii = /^[\x21-\x7e]+$/;

/** Tells whether this code runs in a browser or its worker. A simulated browser (jsdom, Happy DOM) doesn't count. */
export const inBrowser = (): boolean =>
  /^Mozilla\/(?!.*(jsdom|HappyDOM))/.test(globalThis.navigator?.userAgent ?? '');

/** Tells whether to send `cache: 'no-store'`, without which Next 13 and 14 cache. Older Workers throw on it, and lack the property. */
export const canForbidCaching = (Request: { prototype: object }): boolean =>
  'cache' in Request.prototype && !inBrowser();

/**
 * Returns a non-empty environment variable. It reads `globalThis`, because bundlers replace `process.env.NAME` with the value, which would
 * put a key into a page.
 */
export function variable(name: string): string | undefined {
  if (inBrowser()) return undefined;
  try {
    const { process }: { process?: { env?: Record<string, string> } } = Object(globalThis);
    return process?.env?.[name] || undefined;
  } catch {
    // Deno throws without permission to read the variable.
    return undefined;
  }
}
