import { type AppDependencies, isInterfacePath } from '@topup-kit/core/app';
import { headers } from '@topup-kit/core/contract';
import { cors } from 'hono/cors';

type Router = Parameters<NonNullable<AppDependencies['mount']>>[0];

/** How long a browser may keep the response to a preflight, in seconds. */
const maxAge = 600;

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
    exposeHeaders: [
      headers.requestId,
      headers.errorCode,
      headers.idempotencyKey,
      headers.idempotencyReplayed,
      headers.rateLimit,
      headers.rateLimitPolicy,
      headers.retryAfter,
      headers.etag,
    ],
    maxAge,
  });
  router.use(`${basePath}/*`, (context, next) => {
    if (!isInterfacePath(context.req.path, basePath)) return next();
    if (context.req.method === 'OPTIONS') context.env.facts.operation = 'preflight';
    return handle(context, next);
  });
}
