import { chooseLocale, headers, servedOperations } from '../contract/index.ts';
import { type DomainError, zonedTime } from '../engine/index.ts';
import { createRateLimiter } from '../http/index.ts';
import type { Hash, Random } from '../platform/index.ts';
import type { RequestGuard } from './auth.ts';
import { createCors } from './cors.ts';
import { headerFilter } from './dialect.ts';
import {
  type Connection,
  createFacts,
  createRequestIds,
  fromFetchRequest,
  inProcess,
  type PlainResponse,
  type RequestContext,
  type RequestLogFields,
  type SentRequest,
  toPlain,
  toResponse,
} from './http.ts';
import { withJournal } from './journal.ts';
import { createMatcher, isInterfacePath, pathOf } from './paths.ts';
import { createPipeline } from './pipeline.ts';
import { createUrls, resolveDialect } from './settings.ts';
import { createSite, type SiteParts } from './site.ts';

export interface AppDependencies extends SiteParts {
  random: Random;
  hash: Hash;
  /** An error to return on purpose, before any other check of the request with these facts; used for a mock's scenarios. */
  fault?: (facts: RequestLogFields) => DomainError | undefined;
  /** How many servers share the requests, so that limits hold for all of them together; one by default. */
  countServers?: () => number;
  /** The origins whose pages may call the interface; none when left out. */
  corsOrigins?: readonly string[];
  /** Called for each request of a key that a limit rejects. */
  noteRejection?: RequestGuard['noteRejection'];
  /** Called for every response of 500 and above, with its cause. A host may read it from the facts instead. */
  reportError?: (error: unknown, requestId: string) => void;
}

export interface App {
  /**
   * Handles a request. `connection` may be left out for a request within the process. What is found out about the request
   * is written into `facts`.
   */
  handle(request: SentRequest, connection?: Connection, facts?: RequestLogFields): Promise<PlainResponse>;
  /** The same for a Request and a Response, which cost as much as an operation. */
  fetch(request: Request, connection?: Connection, facts?: RequestLogFields): Promise<Response>;
}

/** The `fetch` of an app. */
export const fetchBy =
  (handle: App['handle']): App['fetch'] =>
  async (request, connection, facts) =>
    toResponse(await handle(fromFetchRequest(request), connection, facts));

/** How many clients are counted at a time, so that many addresses don't fill the memory. */
const maxWindows = 100_000;

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
  const { readsPerMinute: reads, ordersPerMinute: orders } = settings.limits;
  const { customerReadsPerMinute = reads, customerOrdersPerMinute = orders } = settings.limits;
  const counting = {
    clock: deps.monotonicClock,
    maxWindows,
    ...(deps.countServers && { countServers: deps.countServers }),
  };
  const guard: RequestGuard = {
    keys: engine.keys,
    countRequest: createRateLimiter({ reads, orders }, counting),
    countCustomer: createRateLimiter(
      { reads: customerReadsPerMinute, orders: customerOrdersPerMinute },
      counting,
    ),
    noteRejection: deps.noteRejection,
  };
  const pipeline = createPipeline(
    { engine, settings, dialect, urls: createUrls(settings.publicUrl), localTime, hash },
    { ...deps, guard },
  );
  const nextRequestId = createRequestIds(deps.random);
  const served = servedOperations(dialect);
  const match = createMatcher(basePath, served);
  const site = createSite(deps, { guard, pipeline, localTime, basePath, served, dialect });
  const withhold = headerFilter(dialect);
  const cors = deps.corsOrigins && createCors(deps.corsOrigins, deps.sandbox ? [headers.scenario] : []);
  const ownLanguages = { locale: settings.locale, fieldLocale: 'en' } as const;

  const isOfInterface = (request: SentRequest): boolean => isInterfacePath(pathOf(request.target), basePath);

  /**
   * The languages for a request. A dialect may fix those of the interface; those of pages and control routes are always
   * the client's.
   */
  function languagesOf(request: SentRequest): Pick<RequestContext, 'locale' | 'fieldLocale'> {
    const wanted = request.header(headers.acceptLanguage);
    if (!wanted || (dialect.language === 'fixed' && isOfInterface(request))) return ownLanguages;
    return {
      locale: chooseLocale(wanted, settings.locale),
      fieldLocale: chooseLocale(wanted, ownLanguages.fieldLocale),
    };
  }

  async function respond(context: RequestContext): Promise<PlainResponse> {
    const { request } = context;
    const matched = match(request.method, request.target);
    if (matched) return pipeline.operate(matched, context);
    const preflight = isOfInterface(request) ? cors?.preflight(request) : null;
    if (preflight) {
      context.facts.operation = 'preflight';
      return preflight;
    }
    return toPlain(await site.fetch(request.toRequest(), context));
  }

  /** Adds the headers that depend on the request, and within the interface those for pages of other origins. */
  function finish(
    { status, headers: prepared, body }: PlainResponse,
    context: RequestContext,
  ): PlainResponse {
    const { request, facts } = context;
    // Whoever is told to come again is told when; a Response has its names in lower case.
    const mayRetry = status !== 503 || headers.retryAfter in prepared || 'retry-after' in prepared;
    const response = {
      status,
      headers: {
        ...prepared,
        ...(!mayRetry && { [headers.retryAfter]: '1' }),
        ...context.headers,
        [headers.requestId]: facts.requestId,
      },
      body: request.method === 'HEAD' ? '' : body,
    };
    // Most services have neither, and need not look at the path.
    if ((!withhold && !cors) || !isOfInterface(request)) return response;
    const sent = withhold?.(response) ?? response;
    return cors?.readable(sent, request.header('Origin')) ?? sent;
  }

  async function handleRequest(
    request: SentRequest,
    connection: Connection = inProcess,
    facts: RequestLogFields = createFacts(),
  ): Promise<PlainResponse> {
    facts.requestId = nextRequestId(request.header(headers.requestId));
    const context = { request, connection, facts, headers: {}, ...languagesOf(request) };
    return finish(await respond(context), context);
  }

  const handle = deps.journal ? withJournal(handleRequest, deps.journal, isOfInterface) : handleRequest;
  return { handle, fetch: fetchBy(handle) };
}
