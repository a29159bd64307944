/** Headers that clients send and read. They are separate, so that a client's bundle contains nothing else. */
export const clientHeaders = {
  apiKey: 'X-API-KEY',
  errorCode: 'X-Error-Code',
  requestId: 'X-Request-Id',
  idempotencyKey: 'Idempotency-Key',
  idempotencySupported: 'Idempotency-Supported',
  retryAfter: 'Retry-After',
  rateLimit: 'RateLimit',
} as const;

/** Names of HTTP headers. There is no spread, so that bundlers can remove the table. All except the API key are extensions. */
export const headers = /* @__PURE__ */ Object.assign({}, clientHeaders, {
  acceptLanguage: 'Accept-Language',
  contentLanguage: 'Content-Language',
  vary: 'Vary',
  etag: 'ETag',
  ifNoneMatch: 'If-None-Match',
  idempotencyReplayed: 'Idempotency-Replayed',
  idempotencyOrder: 'Idempotency-Order-Id',
  rateLimitPolicy: 'RateLimit-Policy',
  scenario: 'X-Topup-Scenario',
  world: 'X-Topup-World',
  customerIp: 'X-Topup-Customer-IP',
} as const);

/** The cookie with the name of a world, for the console of a sandbox and for a shop that forwards worlds. */
export const worldCookieName = 'topup_world';

/** Tells whether a string can be the name of a sandbox's world. Headers and cookies carry such a string unchanged. */
export const isWorldName = (text: string): boolean => /^[\w.~-]{1,100}$/.test(text);

/** The maximum length of an `Idempotency-Key`, in characters. */
export const idempotencyKeyLength = 255;
