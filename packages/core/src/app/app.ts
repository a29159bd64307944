import { type Context, Hono } from 'hono';
import {
  headers,
  type Operation,
  operations,
  pathPattern,
  routes,
  servedOperations,
} from '../contract/index.ts';
import { type Engine, Refusal, type Sandbox, zonedTime } from '../engine/index.ts';
import type { Clock, Hash, Random } from '../platform/index.ts';
import { identify } from './auth.ts';
import { headerFilter, isOfInterface, refusalWithoutAccept } from './dialect.ts';
import { RefusalWithHeaders } from './errors.ts';
import { mountExtras } from './extras.ts';
import {
  type Answer,
  type Arrival,
  type Connection,
  createRequestIds,
  type Site,
  toResponse,
} from './http.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import { mountSandbox } from './sandbox.ts';
import { type AppSettings, createUrls, resolveDialect } from './settings.ts';

export interface AppDependencies {
  engine: Engine;
  settings: AppSettings;
  /** The hands on a sandbox's world; none in live mode. */
  sandbox?: Sandbox;
  realClock: Clock;
  random: Random;
  hash: Hash;
  /** Why no order can be stored any more; null, or left out, while all is well. */
  failure?: () => Error | null;
  /** What goes wrong on purpose with a request to an operation, before anything else looks at it; a mock's scenarios. */
  fault?: (operation: Operation, request: Request) => Refusal | undefined;
  /** Adds the host's own routes, such as pages. They come before the service's, and their responses stay as they are. */
  mount?: (site: Site) => void;
  /** Told of every answer of 500 and above, with what caused it. */
  reportError: (error: unknown, requestId: string) => void;
}

export interface App {
  /** Answers a request; one that crossed no network needs no connection. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /**
   * The answer that `fetch` gives to `GET /games`, for a host that reads the key itself and writes bytes that are
   * ready, without a Request or a Response between. `accept` is the request's header, which some dialects require.
   */
  answerGameList(key: string | null, connection: Connection, accept?: string | null): Promise<Answer>;
}

const inProcess: Connection = { address: '127.0.0.1' };

/** `/games/{slug}` as Hono writes it. */
const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Where the interface is mounted, and which of its operations are served there. */
interface Mounting {
  basePath: string;
  served: readonly Operation[];
}

function mountRequiredAccept(site: Site, basePath: string): void {
  site.use(`${basePath}/*`, async ({ req }, next) => {
    const refusal = isOfInterface(req.path, basePath) && refusalWithoutAccept(req.header('Accept') ?? null);
    return refusal ? toResponse(refusal) : next();
  });
}

function mountInterface(site: Site, { operate }: Pipeline, { basePath, served }: Mounting): void {
  for (const operation of served) {
    const { method, path } = routes[operation];
    site.on(method, basePath + honoPath(path), async ({ req, env }) =>
      toResponse(await operate(operation, req.raw, req.param(), env)),
    );
  }
}

/** The path of each operation, as a pattern. */
const patterns = operations.map((operation) => [operation, pathPattern(operation)] as const);

/** The methods that a path takes where only some operations are served; none for a path that isn't one of them. */
const allowedMethods = (path: string, served: readonly Operation[]): string[] =>
  patterns
    .filter(([operation, pattern]) => served.includes(operation) && pattern.test(path))
    .map(([operation]) => routes[operation].method)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

/** What is wrong with a request to the interface that no operation takes. */
function unmatched(method: string, path: string, served: readonly Operation[]): Refusal {
  const allowed = allowedMethods(path, served);
  if (allowed.length === 0) return new Refusal('ROUTE_NOT_FOUND');
  return new RefusalWithHeaders('METHOD_NOT_ALLOWED', { Allow: allowed.join(', ') }, { words: { method } });
}

/** Below the base path, everything needs a key, also what isn't there. */
function mountRefusals(site: Site, { keys }: Engine, { basePath, served }: Mounting): void {
  site.all(`${basePath}/*`, async ({ req, env }) => {
    await identify(keys, req.header(headers.apiKey) ?? null, env.connection);
    throw unmatched(req.method, req.path.slice(basePath.length), served);
  });
}

/**
 * The service as a function from Request to Response, the same in a server, in a browser and in a test.
 *
 * @example
 * const app = createApp({ engine, settings, realClock: Date.now, random, hash, reportError: console.error });
 * const answer = await app.fetch(new Request('http://localhost/api/games', { headers: { 'X-API-KEY': key } }));
 */
export function createApp(deps: AppDependencies): App {
  const { engine, settings, hash } = deps;
  const { basePath } = settings;
  const { dialect, timezone } = resolveDialect(settings);
  const localTime = zonedTime(timezone);
  const pipeline = createPipeline(
    { engine, settings, dialect, urls: createUrls(settings.publicUrl), localTime, hash },
    deps,
  );
  const nextRequestId = createRequestIds(deps.random);
  const mounting = { basePath, served: servedOperations(dialect) };
  const filter = headerFilter(dialect, basePath);

  const site: Site = new Hono();
  deps.mount?.(site);
  site.use(async (context, next) => {
    await next();
    context.res.headers.set(headers.requestId, context.env.requestId);
    filter.response(context.req.raw, context.res);
  });
  if (dialect.acceptRequired) mountRequiredAccept(site, basePath);
  mountInterface(site, pipeline, mounting);
  mountExtras(site, { engine, settings, failure: deps.failure ?? (() => null) });
  if (deps.sandbox)
    mountSandbox(site, {
      sandbox: deps.sandbox,
      keys: engine.keys,
      localTime,
      maxBodyBytes: settings.limits.bodyBytes,
    });
  mountRefusals(site, engine, mounting);
  const refuse = (error: unknown, { req, env }: Context<{ Bindings: Arrival }>): Response =>
    toResponse(
      pipeline.refuse(error, env.requestId, isOfInterface(req.path, basePath) ? 'interface' : 'beside'),
    );
  site.notFound((context) => refuse(new Refusal('ROUTE_NOT_FOUND'), context));
  site.onError(refuse);

  return {
    async fetch(request, connection = inProcess) {
      return site.fetch(request, { connection, requestId: nextRequestId() });
    },
    async answerGameList(key, connection, accept = 'application/json') {
      const requestId = nextRequestId();
      const refusal = dialect.acceptRequired ? refusalWithoutAccept(accept) : undefined;
      const answer = refusal ?? (await pipeline.listGames(key, { connection, requestId }));
      return filter.answer({ ...answer, headers: { ...answer.headers, [headers.requestId]: requestId } });
    },
  };
}
