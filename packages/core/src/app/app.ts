import { type Context, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import {
  chooseLocale,
  headers,
  type Operation,
  operations,
  pathPattern,
  routes,
  servedOperations,
} from '../contract/index.ts';
import { DomainError, type Engine, type Sandbox, zonedTime } from '../engine/index.ts';
import { createRateLimiter } from '../http/index.ts';
import type { Hash, MonotonicClock, Random } from '../platform/index.ts';
import { type Gate, identify, limitAddress } from './auth.ts';
import { mountCallbacks } from './callbacks.ts';
import { headerFilter, missingAcceptResponse } from './dialect.ts';
import { DomainErrorWithHeaders } from './errors.ts';
import { mountExtras } from './extras.ts';
import {
  type Connection,
  createFacts,
  createRequestIds,
  inProcess,
  type PlainResponse,
  type RequestContext,
  type RequestFacts,
  type SentRequest,
  type Site,
  sentRequest,
  toResponse,
} from './http.ts';
import { createMatcher, type MatchedOperation } from './match-operation.ts';
import { isInterfacePath, ownPaths } from './own-paths.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import { mountSandbox } from './sandbox.ts';
import { type AppSettings, createUrls, resolveDialect } from './settings.ts';

export interface AppDependencies {
  engine: Engine;
  settings: AppSettings;
  /** The control of the sandbox; none in live mode. */
  sandbox?: Sandbox;
  monotonicClock: MonotonicClock;
  random: Random;
  hash: Hash;
  /** Why the store no longer accepts orders; null or left out when it does. */
  failure?: () => Error | null;
  /** An error to return on purpose, before any other check of the request with these facts; used for a mock's scenarios. */
  fault?: (facts: RequestFacts) => DomainError | undefined;
  /** Whether an address may send callbacks; every address may when it is left out. */
  mayCall?: (address: string) => boolean;
  /** Called once for each path of callbacks to which requests were probably meant to go, with their own path. */
  reportMisdirected?: (path: string, intended: string) => void;
  /** How many servers share the requests, so that limits hold for all of them together; one by default. */
  countServers?: () => number;
  /** Aborted when the host closes, so that no response waits any more. */
  closing?: AbortSignal;
  /** Adds the host's own routes, such as pages. They come before the service's. */
  mount?: (site: Site) => void;
  /** Called for every response of 500 and above, with its cause. A host may read it from the facts instead. */
  reportError?: (error: unknown, requestId: string) => void;
}

export interface App {
  /**
   * Handles a request. `connection` may be left out for a request within the process. What is found out about the request
   * is written into `facts`.
   */
  fetch(request: Request, connection?: Connection, facts?: RequestFacts): Promise<Response>;
  /**
   * The response of `fetch` to a request that a {@link createMatcher} recognised, without the cost of a Request and a Response. What
   * `mount` added has no part in it.
   */
  operate(
    matched: MatchedOperation,
    request: SentRequest,
    connection?: Connection,
    facts?: RequestFacts,
  ): Promise<PlainResponse>;
}

/** How many clients are counted at a time, so that many addresses don't fill the memory. */
const maxWindows = 100_000;

/** Converts `/games/{slug}` to Hono's syntax. */
const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** The pattern of the route that handled a request; null when none did. */
const patternOf = (context: Context): string | null =>
  matchedRoutes(context).findLast(({ path }) => !path.endsWith('*'))?.path ?? null;

/** The path and the query of an absolute URL. */
const targetOf = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

/** A path for a message. */
const shortPath = (path: string): string => (path.length > 100 ? `${path.slice(0, 100)}…` : path);

/** The path of the interface, and the operations that are served. */
interface Mounting {
  basePath: string;
  served: readonly Operation[];
}

function mountInterface(site: Site, { operate }: Pipeline, { basePath, served }: Mounting): void {
  for (const operation of served) {
    const { method, path } = routes[operation];
    site.on(method, basePath + honoPath(path), async ({ req, env }) =>
      toResponse(await operate(operation, sentRequest(req.raw), req.param(), env)),
    );
  }
}

/** The path of each operation, as a pattern. */
const patterns = operations.map((operation) => [operation, pathPattern(operation)] as const);

/** The methods that a path supports; none for an unknown path. */
const allowedMethods = (path: string, served: readonly Operation[]): string[] =>
  patterns
    .filter(([operation, pattern]) => served.includes(operation) && pattern.test(path))
    .map(([operation]) => routes[operation].method)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

/** The error of a request to the interface that matches no operation. */
function unmatchedError(method: string, path: string, served: readonly Operation[]): DomainError {
  const allowed = allowedMethods(path, served);
  if (allowed.length === 0) return new DomainError('ROUTE_NOT_FOUND');
  return new DomainErrorWithHeaders(
    'METHOD_NOT_ALLOWED',
    { Allow: allowed.join(', ') },
    { params: { method } },
  );
}

/** What needs no key is limited by address, each kind on its own. */
function mountAddressLimits(site: Site, gate: Gate): void {
  for (const kind of ['pay', 'assets'] as const)
    site.use(`${ownPaths[kind]}/*`, ({ env }, next) => {
      limitAddress(gate, kind, env.connection);
      return next();
    });
}

/** Everything below the base path needs a key, also paths that don't exist. */
function mountUnmatched(
  site: Site,
  gate: Gate,
  { basePath, served, acceptRequired }: Mounting & { acceptRequired: boolean },
): void {
  site.all(`${basePath}/*`, async ({ req, env }) => {
    if (acceptRequired && isInterfacePath(req.path, basePath)) {
      const rejection = missingAcceptResponse(req.header('Accept') ?? null, env.locale);
      if (rejection) return toResponse(rejection);
    }
    await identify(gate, req.header(headers.apiKey) ?? null, env);
    limitAddress(gate, 'unknown', env.connection);
    throw unmatchedError(req.method, req.path.slice(basePath.length), served);
  });
}

/**
 * Creates the service as a function from Request to Response, which is the same in a server, a browser and a test.
 *
 * @example
 * const app = createApp({ engine, settings, monotonicClock, random, hash, reportError: console.error });
 * const response = await app.fetch(new Request('http://localhost/api/games', { headers: { 'X-API-KEY': key } }));
 */
export function createApp(deps: AppDependencies): App {
  const { engine, settings, hash } = deps;
  const { basePath } = settings;
  const { dialect, timezone } = resolveDialect(settings);
  const localTime = zonedTime(timezone);
  const { readsPerMinute, ordersPerMinute } = settings.limits;
  const gate: Gate = {
    keys: engine.keys,
    countRequest: createRateLimiter(
      { reads: readsPerMinute, orders: ordersPerMinute },
      {
        clock: deps.monotonicClock,
        maxWindows,
        ...(deps.countServers && { countServers: deps.countServers }),
      },
    ),
  };
  const pipeline = createPipeline(
    { engine, settings, dialect, urls: createUrls(settings.publicUrl), localTime, hash },
    { ...deps, gate },
  );
  const nextRequestId = createRequestIds(deps.random);
  const mounting = { basePath, served: servedOperations(dialect) };
  const filter = headerFilter(dialect, basePath);
  const match = createMatcher(basePath, mounting.served);
  const ownLanguages = { locale: settings.locale, fieldLocale: 'en' } as const;

  const site: Site = new Hono();
  site.use(async (context, next) => {
    await next();
    const { facts } = context.env;
    facts.operation ??= patternOf(context);
    context.res.headers.set(headers.requestId, facts.requestId);
    filter.web(context.req.raw, context.res);
  });
  mountAddressLimits(site, gate);
  deps.mount?.(site);
  mountCallbacks(site, {
    callbacks: engine.callbacks,
    maxBodyBytes: settings.limits.bodyBytes,
    mayCall: deps.mayCall ?? (() => true),
    reportMisdirected: (path, intended) => deps.reportMisdirected?.(shortPath(path), intended),
    clock: deps.monotonicClock,
    closing: deps.closing,
  });
  mountInterface(site, pipeline, mounting);
  mountExtras(site, { engine, settings, failure: deps.failure ?? (() => null) });
  if (deps.sandbox)
    mountSandbox(site, {
      sandbox: deps.sandbox,
      gate,
      localTime,
      maxBodyBytes: settings.limits.bodyBytes,
    });
  mountUnmatched(site, gate, { ...mounting, acceptRequired: dialect.acceptRequired });
  const handleError = (error: unknown, { req, env }: Context<{ Bindings: RequestContext }>): Response =>
    toResponse(
      pipeline.handleError(
        error,
        env,
        isInterfacePath(req.path, basePath) ? undefined : { path: shortPath(req.path), basePath },
      ),
    );
  site.notFound((context) => {
    limitAddress(gate, 'unknown', context.env.connection);
    return handleError(new DomainError('ROUTE_NOT_FOUND'), context);
  });
  site.onError(handleError);

  /**
   * The languages for a request. A dialect may fix those of the interface; those of pages and control routes are always
   * the client's.
   */
  function languagesOf(
    acceptLanguage: string | null,
    isOfInterface: () => boolean,
  ): Pick<RequestContext, 'locale' | 'fieldLocale'> {
    if (!acceptLanguage) return ownLanguages;
    if (dialect.language === 'fixed' && isOfInterface()) return ownLanguages;
    return {
      locale: chooseLocale(acceptLanguage, settings.locale),
      fieldLocale: chooseLocale(acceptLanguage, ownLanguages.fieldLocale),
    };
  }

  function operate(
    { operation, parameters }: MatchedOperation,
    request: SentRequest,
    connection: Connection = inProcess,
    facts: RequestFacts = createFacts(),
  ): Promise<PlainResponse> {
    facts.requestId = nextRequestId(request.header(headers.requestId));
    const { locale, fieldLocale } = languagesOf(request.header(headers.acceptLanguage), () => true);
    return pipeline.operate(operation, request, parameters, { connection, facts, locale, fieldLocale });
  }

  return {
    operate,
    async fetch(request, connection = inProcess, facts = createFacts()) {
      // What a host mounted may come before an operation, or add to it.
      const matched = deps.mount ? null : match(request.method, targetOf(request.url));
      if (matched) return toResponse(await operate(matched, sentRequest(request), connection, facts));
      facts.requestId = nextRequestId(request.headers.get(headers.requestId));
      const languages = languagesOf(request.headers.get(headers.acceptLanguage), () =>
        isInterfacePath(new URL(request.url).pathname, basePath),
      );
      return site.fetch(request, { connection, facts, ...languages });
    },
  };
}
