import { type AppDependencies, isInterfacePath, type PlainResponse } from '@topup-kit/core/app';
import { headers } from '@topup-kit/core/contract';
import { cors } from 'hono/cors';

type Router = Parameters<NonNullable<AppDependencies['mount']>>[0];

/** How long a browser may keep the response to a preflight, in seconds. */
const maxAge = 600;

/** The headers of responses that a page may read. */
const exposed = [
  headers.requestId,
  headers.errorCode,
  headers.idempotencyKey,
  headers.idempotencyReplayed,
  headers.rateLimit,
  headers.rateLimitPolicy,
  headers.retryAfter,
  headers.etag,
];

/** Lets a page of an origin read a response that doesn't come from the router. */
export const readableBy = (origin: string, response: PlainResponse): PlainResponse => ({
  ...response,
  headers: {
    ...response.headers,
    [headers.vary]: [response.headers[headers.vary], 'Origin'].filter(Boolean).join(', '),
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposed.join(','),
  },
});

/**
 * Lets web pages of other origins call the API, and nothing else of the service. Preflights get their response without a
 * key, because browsers send none with them.
 */
export function mountCors(router: Router, origins: readonly string[], basePath: string): void {
  const handle = cors({
    origin: [...origins],
    allowMethods: ['GET', 'HEAD', 'POST'],
    allowHeaders: [
      headers.apiKey,
      'Content-Type',
      headers.acceptLanguage,
      headers.idempotencyKey,
      headers.requestId,
      headers.ifNoneMatch,
      'traceparent',
      'tracestate',
    ],
    exposeHeaders: exposed,
    maxAge,
  });
  router.use(`${basePath}/*`, (context, next) => {
    const { req, env } = context;
    if (!isInterfacePath(req.path, basePath)) return next();
    if (req.method === 'OPTIONS') {
      // Hono takes any OPTIONS for a preflight. Only browsers need a response without a key, and they send both headers.
      if (!req.header('Origin') || !req.header('Access-Control-Request-Method')) return next();
      env.facts.operation = 'preflight';
    }
    return handle(context, next);
  });
}
