import { clientHeaders as names } from '@topup-kit/core/contract';
import { type CallMetadata, TopupUsageError } from '../errors/index.ts';
import type { RequestOptions } from '../options.ts';
import type { Platform } from '../platform.ts';
import { version } from '../version.ts';
import { inBrowser } from './check-options.ts';

/** Converts headers to `Headers`. Rejects an API key among them, because the client would not send it and would get a 401. */
export function checkHeaders(
  given: RequestOptions['headers'],
  Headers: Platform['Headers'],
  metadata?: CallMetadata,
): Headers {
  let headers: Headers | undefined;
  try {
    headers = new Headers(given);
  } catch {
    // The check below rejects it.
  }
  if (headers && !headers.has(names.apiKey)) return headers;
  throw new TopupUsageError(
    'INVALID_HEADER',
    headers
      ? `headers contains ${names.apiKey}. Pass apiKey to createTopupClient.`
      : 'headers contains an invalid name or value.',
    metadata,
  );
}

/** Headers that only the client sets; users and hooks can't replace them. */
const ownNames = ['accept', 'content-type', names.apiKey.toLowerCase(), names.idempotencyKey.toLowerCase()];

/** Valid headers by name. A map is cheaper to copy for each call than `Headers`. */
export type HeaderMap = Map<string, string>;

/** Creates the headers of every request: the user's and the client's own headers, except the API key. */
export function createHeaders(
  given: RequestOptions['headers'],
  Headers: Platform['Headers'],
  base?: HeaderMap,
): HeaderMap {
  const headers: HeaderMap = new Map(base);
  // A browser sends its own User-Agent, and setting the header would require a CORS preflight.
  if (!inBrowser() && !base) headers.set('user-agent', `topup-kit-sdk/${version}`);
  addHeaders(headers, checkHeaders(given, Headers));
  return headers.set('accept', 'application/json');
}

/** Adds a user's or a hook's headers, except the client's own. */
export function addHeaders(headers: HeaderMap | Headers, more: Headers): void {
  more.forEach((value, name) => {
    if (!ownNames.includes(name)) headers.set(name, value);
  });
}
