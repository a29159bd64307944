/** Names of HTTP headers. All but the API key are extensions of this kit (source: ours). */
export const headers = {
  apiKey: 'X-API-KEY',
  acceptLanguage: 'Accept-Language',
  contentLanguage: 'Content-Language',
  vary: 'Vary',
  etag: 'ETag',
  ifNoneMatch: 'If-None-Match',
  errorCode: 'X-Error-Code',
  requestId: 'X-Request-Id',
  idempotencyKey: 'Idempotency-Key',
  idempotencyReplayed: 'Idempotency-Replayed',
  idempotencySupported: 'Idempotency-Supported',
  retryAfter: 'Retry-After',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  scenario: 'X-Topup-Scenario',
  customerIp: 'X-Topup-Customer-IP',
} as const;

/** The maximum length of an `Idempotency-Key`, in characters. */
export const idempotencyKeyLength = 255;
