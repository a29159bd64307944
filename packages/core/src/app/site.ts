import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { type Dialect, headers } from '../contract/index.ts';
import { DomainError, type Engine, type ZonedTime } from '../engine/index.ts';
import { type CountByAddress, countByAddress, identify, limitAddress, type RequestGuard } from './auth.ts';
import { missingAcceptResponse } from './dialect.ts';
import { DomainErrorWithHeaders } from './errors.ts';
import { mountExtras } from './extras.ts';
import { toResponse } from './fetch.ts';
import type { RequestContext, Site } from './http.ts';
import { isInterfacePath, ownPaths, shortPath } from './paths.ts';
import type { Pipeline } from './pipeline.ts';
import type { AppRoom } from './room.ts';
import type { Router } from './router.ts';
import type { AppSettings } from './settings.ts';

/** Returns the pattern of the matched route; null if no route matches. */
const patternOf = (context: Context): string | null =>
  matchedRoutes(context).findLast(({ path }) => !path.endsWith('*'))?.path ?? null;

/** Parts of the interface on which other routes depend. */
interface Interface {
  basePath: string;
  router: Router;
  dialect: Dialect;
}

/** Creates the error for a request below the base path that matches no operation. */
function unmatchedError(method: string, path: string, router: Router): DomainError {
  const allowed = router.methodsOf(path);
  if (allowed.length === 0) return new DomainError('ROUTE_NOT_FOUND');
  return new DomainErrorWithHeaders(
    'METHOD_NOT_ALLOWED',
    { Allow: allowed.join(', ') },
    { params: { method } },
  );
}

/** Paths of the service's documentation. */
const documentation = ['/', ownPaths.docs, ownPaths.openApi];

/** Limits routes without a key by address, each kind separately. Monitoring is exempt, because it may poll often from one address. */
function mountAddressLimits(site: Site, guard: RequestGuard): void {
  const limit =
    (kind: string): MiddlewareHandler<{ Bindings: RequestContext }> =>
    ({ env }, next) => {
      limitAddress(guard, kind, env.connection);
      return next();
    };
  for (const kind of ['pay', 'assets'] as const) site.use(`${ownPaths[kind]}/*`, limit(kind));
  site.use(`${ownPaths.console}/files/*`, limit('assets'));
  for (const path of documentation) site.get(path, limit('documentation'));
}

/** Requires a key for all paths below the base path, even unknown ones. */
function mountUnmatched(site: Site, guard: RequestGuard, { basePath, router, dialect }: Interface): void {
  site.all(`${basePath}/*`, async ({ req, env }) => {
    if (dialect.acceptRequired && isInterfacePath(req.path, basePath)) {
      const rejection = missingAcceptResponse(req.header('Accept') ?? null, env.locale);
      if (rejection) return toResponse(rejection);
    }
    await identify(guard, req.header(headers.apiKey) ?? null, env);
    limitAddress(guard, 'unknown', env.connection);
    throw unmatchedError(env.request.method, req.path.slice(basePath.length), router);
  });
}

export interface SiteParts {
  engine: Engine;
  settings: AppSettings;
  /** Everything that a room adds; left out in live mode. */
  room?: AppRoom;
  /** Returns the reason why the store no longer accepts orders; null while it accepts them. */
  failure?: () => Error | null;
  /** Mounts the routes of the host (such as pages) and of rooms before the service's own. `count` counts a request by kind and address. */
  mount?: (site: Site, count: CountByAddress) => void;
}

/** Creates the router for everything except operations: pages, pictures, routes of rooms, controls and unknown paths. */
export function createSite(
  parts: SiteParts,
  {
    guard,
    pipeline,
    localTime,
    ...ofInterface
  }: Interface & { guard: RequestGuard; pipeline: Pipeline; localTime: (moment: number) => ZonedTime },
): Site {
  const { engine, settings } = parts;
  const { basePath } = ofInterface;
  const maxBodyBytes = settings.limits.bodyBytes;
  const site: Site = new Hono();
  site.use(async (context, next) => {
    await next();
    context.env.record.operation ??= patternOf(context);
  });
  mountAddressLimits(site, guard);
  parts.mount?.(site, (kind, connection) => countByAddress(guard, kind, connection));
  mountExtras(site, { engine, settings, failure: parts.failure ?? (() => null) });
  parts.room?.mount?.(site, { guard, localTime, maxBodyBytes });
  mountUnmatched(site, guard, ofInterface);
  const handleError = (error: unknown, { req, env }: Context<{ Bindings: RequestContext }>): Response =>
    toResponse(
      pipeline.handleError(
        error,
        env,
        isInterfacePath(req.path, basePath) ? undefined : { path: shortPath(req.path), basePath },
      ),
    );
  site.notFound((context) => {
    limitAddress(guard, 'unknown', context.env.connection);
    return handleError(new DomainError('ROUTE_NOT_FOUND'), context);
  });
  site.onError(handleError);
  return site;
}
