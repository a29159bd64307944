import { type Context, Hono } from 'hono';
import { headers, type Operation, routes, servedOperations } from '../contract/index.ts';
import { type Engine, Refusal, type Sandbox, zonedTime } from '../engine/index.ts';
import type { Clock, Hash, Random } from '../platform/index.ts';
import { type Connection, identify } from './admission.ts';
import { allowedMethods } from './allowed-methods.ts';
import { type Answer, jsonAnswer, toResponse } from './answer.ts';
import { headerFilter } from './dialect/header-filter.ts';
import { isOfInterface } from './dialect/interface-path.ts';
import { refusalWithoutAccept } from './dialect/required-accept.ts';
import { catalogPictures, drawPaymentQr, pictureHeaders } from './pictures.ts';
import { type Arrival, createPipeline, type Pipeline } from './pipeline.ts';
import { RefusalWithHeaders } from './refusal-with-headers.ts';
import { createRequestIds } from './request-ids.ts';
import { createGameList } from './routes/list-games.ts';
import { mountSandbox } from './sandbox/sandbox-routes.ts';
import { type AppSettings, spokenBy } from './settings.ts';
import { createUrls } from './urls.ts';
import { paymentStatusView } from './views/invoice.ts';

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

type Site = Hono<{ Bindings: Arrival }>;

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

function mountPictures(site: Site, engine: Engine): void {
  const shown = (picture: string | undefined): Response => {
    if (picture === undefined) throw new Refusal('ROUTE_NOT_FOUND');
    return new Response(picture, { headers: pictureHeaders });
  };
  for (const [folder, draw] of Object.entries(catalogPictures))
    site.get(`${folder}/:file`, async ({ req }) => {
      const [, name] = /^(.+)\.svg$/.exec(req.param('file')) ?? [];
      return shown(name === undefined ? undefined : await draw(engine, name));
    });
  site.get('/pay/:reference/qr.svg', async ({ req }) =>
    shown(await drawPaymentQr(engine, req.param('reference'))),
  );
}

/** `GET /pay/{payment_reference}/status`: the state of a payment, for its page (source: ours). */
function mountPaymentState(site: Site, engine: Engine): void {
  site.get('/pay/:reference/status', async ({ req }) => {
    const order = await engine.orders.findByReference(req.param('reference'));
    if (!order) throw new Refusal('ROUTE_NOT_FOUND');
    return toResponse(jsonAnswer(200, paymentStatusView(order)));
  });
}

/** `GET /health`: whether the service answers and its store takes orders (source: ours). */
function mountHealth(site: Site, engine: Engine, failure: () => Error | null): void {
  site.get('/health', async () => {
    const unavailable = (cause: unknown): never => {
      throw new Refusal('UNAVAILABLE', { cause });
    };
    await engine.catalog().catch(unavailable);
    const cause = failure();
    if (cause) unavailable(cause);
    return toResponse(jsonAnswer(200, { status: 'ok' }));
  });
}

/** `GET /openapi.json`, without a key; loaded when first asked for, so that nobody else carries it (source: ours). */
function mountOpenApi(site: Site, { publicUrl, basePath, limits }: AppSettings): void {
  site.get('/openapi.json', async () => {
    const { createOpenApi } = await import('../contract/openapi/index.ts');
    return toResponse(jsonAnswer(200, createOpenApi({ serverUrl: publicUrl + basePath, limits })));
  });
}

/** What is wrong with a request to the interface that no operation takes. */
function unmatched(method: string, path: string, served: readonly Operation[]): Refusal {
  const allowed = allowedMethods(path, served);
  if (allowed.length === 0) return new Refusal('ROUTE_NOT_FOUND');
  return new RefusalWithHeaders('METHOD_NOT_ALLOWED', { Allow: allowed.join(', ') }, { method });
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
  const urls = createUrls(settings.publicUrl);
  const { basePath } = settings;
  const { dialect, timezone } = spokenBy(settings);
  const localTime = zonedTime(timezone);
  const pipeline = createPipeline(
    { engine, settings, dialect, urls, localTime, hash, gameList: createGameList(urls) },
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
  mountPictures(site, engine);
  mountPaymentState(site, engine);
  mountHealth(site, engine, deps.failure ?? (() => null));
  mountOpenApi(site, settings);
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
