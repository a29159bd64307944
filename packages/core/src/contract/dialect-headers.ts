import type { Dialect } from './dialect.ts';
import { headers } from './headers.ts';

/** The headers of answers that a service of this dialect doesn't send. */
export function withheldHeaders({ headers: sent, idempotency }: Dialect): string[] {
  return [
    ...(sent.errorCode ? [] : [headers.errorCode]),
    ...(sent.requestId ? [] : [headers.requestId]),
    ...(sent.rateLimit ? [] : [headers.rateLimit, headers.rateLimitPolicy]),
    ...(sent.retryAfter ? [] : [headers.retryAfter]),
    ...(idempotency === 'honoured' ? [] : [headers.idempotencyKey, headers.idempotencyReplayed]),
  ];
}
