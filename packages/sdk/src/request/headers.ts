import { headers as names } from '@topup-kit/core/contract';
import { type CallFacts, TopupUsageError } from '../errors/index.ts';
import type { RequestOptions } from '../options.ts';

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

export function setOwnHeaders(
  headers: Headers,
  own: Record<(typeof ownNames)[number], string | null | undefined>,
): void {
  for (const name of ownNames) {
    const value = own[name];
    if (value == null) headers.delete(name);
    else headers.set(name, value);
  }
}

export function setAll(headers: Headers, more: Headers): void {
  more.forEach((value, name) => {
    headers.set(name, value);
  });
}

/** Gives a request back what the client itself says, after a hook had its headers. */
export const keepOwnHeaders = (headers: Headers, first: Headers): void =>
  setOwnHeaders(headers, {
    Accept: first.get('Accept'),
    'Content-Type': first.get('Content-Type'),
    [names.apiKey]: first.get(names.apiKey),
    [names.idempotencyKey]: first.get(names.idempotencyKey),
  });
