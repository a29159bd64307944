import { headers as names } from '@topup-kit/core/contract';
import { type CallFacts, TopupUsageError } from '../errors/index.ts';
import type { RequestOptions } from '../options.ts';
import type { Platform } from '../platform.ts';
import { version } from '../version.ts';
import { inBrowser } from './check-options.ts';

/** Converts the given headers to `Headers`. */
export function checkHeaders(
  given: RequestOptions['headers'],
  platform: Platform,
  facts?: CallFacts,
): Headers {
  try {
    return new platform.Headers(given);
  } catch {
    throw new TopupUsageError('INVALID_HEADER', 'headers contains an invalid name or value.', facts);
  }
}

/** Headers that only the client sets; users and hooks can't replace them. */
const ownNames = ['Accept', 'Content-Type', names.apiKey, names.idempotencyKey] as const;

/** Creates the headers of every request: the user's and the client's own, but for the API key. */
export function createHeaders(given: RequestOptions['headers'], platform: Platform): Headers {
  const headers = checkHeaders(given, platform);
  // Not in a browser, which has its own User-Agent; setting it would also require a CORS preflight.
  if (!inBrowser() && !headers.has('User-Agent')) headers.set('User-Agent', `topup-kit-sdk/${version}`);
  for (const name of ownNames) headers.delete(name);
  headers.set('Accept', 'application/json');
  return headers;
}

export function setAll(headers: Headers, more: Headers): void {
  more.forEach((value, name) => {
    headers.set(name, value);
  });
}

/** Restores the client's own headers after a user or a hook has set headers. */
export function keepOwnHeaders(headers: Headers, original: Headers): void {
  for (const name of ownNames) {
    const value = original.get(name);
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
}
