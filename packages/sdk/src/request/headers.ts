import { headers as names } from '@topup-kit/core/contract';
import { type CallFacts, TopupUsageError } from '../errors/index.ts';
import type { RequestOptions } from '../options.ts';
import { version } from '../version.ts';
import { inBrowser } from './check-options.ts';

/** The headers given, as the platform takes them. */
export function checkHeaders(given: RequestOptions['headers'], facts?: CallFacts): Headers {
  try {
    return new Headers(given);
  } catch {
    throw new TopupUsageError('INVALID_HEADER', 'a name or value in headers cannot be sent.', facts);
  }
}

/** What the client itself says: the last word, whatever user and hooks have set. */
const ownNames = ['Accept', 'Content-Type', names.apiKey, names.idempotencyKey] as const;

/** The headers of every request: the user's, and the client's own. */
export function createHeaders(given: RequestOptions['headers'], apiKey: string | undefined): Headers {
  const headers = checkHeaders(given);
  // A browser has its own, and one of ours would need the consent of CORS.
  if (!inBrowser() && !headers.has('User-Agent')) headers.set('User-Agent', `topup-kit-sdk/${version}`);
  for (const name of ownNames) headers.delete(name);
  headers.set('Accept', 'application/json');
  if (apiKey !== undefined) headers.set(names.apiKey, apiKey);
  return headers;
}

export function setAll(headers: Headers, more: Headers): void {
  more.forEach((value, name) => {
    headers.set(name, value);
  });
}

/** Gives headers back what the client itself said at first, after somebody else had set some. */
export function keepOwnHeaders(headers: Headers, first: Headers): void {
  for (const name of ownNames) {
    const value = first.get(name);
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
}
