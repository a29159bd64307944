/** Names of the headers on the wire; all but the key are extensions of this kit (source: ours). */
export const headers = {
  apiKey: 'X-API-KEY',
  errorCode: 'X-Error-Code',
  requestId: 'X-Request-Id',
  idempotencyKey: 'Idempotency-Key',
  idempotencyReplayed: 'Idempotency-Replayed',
  retryAfter: 'Retry-After',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
} as const;

/** The longest `Idempotency-Key` taken, in characters. */
export const idempotencyKeyLength = 255;
