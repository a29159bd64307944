import { headers } from '../contract/index.ts';
import { type PlainResponse, type SentRequest, varyingBy } from './http.ts';

/** Time for which a browser may cache the response to a preflight, in seconds. */
const maxAge = 600;

/** Request headers that a page may send. */
const allowed = [
  headers.apiKey,
  'Content-Type',
  headers.acceptLanguage,
  headers.idempotencyKey,
  headers.requestId,
  headers.ifNoneMatch,
  'traceparent',
  'tracestate',
];

/** Response headers that a page may read. */
const exposed = [
  headers.requestId,
  headers.errorCode,
  headers.idempotencyKey,
  headers.idempotencyReplayed,
  headers.idempotencyOrder,
  headers.idempotencySupported,
  headers.rateLimit,
  headers.rateLimitPolicy,
  headers.retryAfter,
  headers.etag,
];

/** Lets web pages of other origins call the interface (CORS). */
interface Cors {
  /** Responds to a preflight, which needs no key because browsers send none with it; null for any other request. */
  preflight(request: Pick<SentRequest, 'method' | 'header'>): PlainResponse | null;
  /** Lets a page of an allowed origin read the response. */
  readable(response: PlainResponse, origin: string | null): PlainResponse;
}

/** `more` names additional request headers that a page may send. */
export function createCors(origins: readonly string[], more: readonly string[] = []): Cors {
  const exposedNames = exposed.join(',');
  const readable = (response: PlainResponse, origin: string | null): PlainResponse =>
    varyingBy(
      {
        ...response,
        own: {
          ...response.own,
          ...(origin !== null && origins.includes(origin) && { 'Access-Control-Allow-Origin': origin }),
          'Access-Control-Expose-Headers': exposedNames,
        },
      },
      'Origin',
    );
  const permissions = {
    'Access-Control-Max-Age': String(maxAge),
    'Access-Control-Allow-Methods': 'GET,HEAD,POST',
    'Access-Control-Allow-Headers': [...allowed, ...more].join(','),
    [headers.vary]: 'Access-Control-Request-Headers',
  };
  return {
    readable,
    preflight(request) {
      // Only browsers get a response without a key. They always send both headers.
      const isPreflight =
        request.method === 'OPTIONS' &&
        request.header('Origin') &&
        request.header('Access-Control-Request-Method');
      return isPreflight ? { status: 204, headers: permissions, body: '' } : null;
    },
  };
}
