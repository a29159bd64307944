import { type Dialect, headers, idempotencyKeyLength } from '../contract/index.ts';
import { invalidFields } from '../engine/index.ts';
import type { SentRequest } from './http.ts';

const name = headers.idempotencyKey;

/**
 * The request's `Idempotency-Key`, with or without quotes; null without one, or when the dialect ignores it (source:
 * ours).
 *
 * @throws DomainError VALIDATION_ERROR for a key that is empty or too long.
 */
export function readIdempotencyKey(request: SentRequest, { idempotency }: Dialect): string | null {
  const sent = request.header(name);
  if (sent === null || idempotency === 'ignored') return null;
  const key = /^"(.*)"$/.exec(sent.trim())?.[1] ?? sent.trim();
  if (key === '') throw invalidFields({ [name]: [{ rule: 'header' }] });
  if (key.length > idempotencyKeyLength)
    throw invalidFields({
      [name]: [{ rule: 'headerLength', params: { limit: idempotencyKeyLength } }],
    });
  return key;
}

/** The response header that repeats the request's key, so that the client knows that a retry is safe. */
export function idempotencyEcho(request: SentRequest): Record<string, string> {
  const sent = request.header(name);
  return sent === null ? {} : { [name]: sent };
}
