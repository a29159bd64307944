import { chooseLocale, headers, servedOperations } from '../contract/index.ts';
import { type DomainError, zonedTime } from '../engine/index.ts';
import { createRateLimiter, type RateLimiter, type RatePolicy } from '../http/index.ts';
import type { Hash, MonotonicClock, RandomBytes } from '../platform/index.ts';
import type { RequestGuard } from './auth.ts';
import { createCors } from './cors.ts';
import { headerFilter } from './dialect.ts';
import { fromFetchRequest, toPlainResponse, toResponse } from './fetch.ts';
import {
  type Connection,
  createRecord,
  createRequestIds,
  inProcess,
  type PlainResponse,
  type RequestContext,
  type RequestRecord,
  type SentRequest,
} from './http.ts';
import { isInterfacePath } from './paths.ts';
import { createPipeline } from './pipeline.ts';
import { createRouter, pathOf } from './router.ts';
import { resolveDialect } from './settings.ts';
import { createSite, type SiteParts } from './site.ts';
import { createUrls } from './urls.ts';

export interface AppDependencies extends SiteParts {
  monotonicClock: MonotonicClock;
  random: RandomBytes;
  hash: Hash;
  /** Returns an error for a request before any other check. Used for a mock's scenarios. */
  fault?: (record: RequestRecord) => DomainError | undefined;
  /** Returns the number of servers that share the requests, so that each allows its part of the limits; 1 by default. */
  countServers?: () => number;
  /** Origins whose pages may call the interface; none by default. */
  corsOrigins?: readonly string[];
  /** Called for each request that a limit of its key rejects. */
  noteRejection?: RequestGuard['noteRejection'];
  /** Called with the cause of every response with a status of 500 or above. A host may read the cause from the record instead. */
  reportError?: (error: unknown, requestId: string) => void;
}

export interface App {
  /** Handles a request and fills in `record`. Requests within the process need no `connection`. */
  handle(request: SentRequest, connection?: Connection, record?: RequestRecord): Promise<PlainResponse>;
  /** Does the same as `handle` with a Request and a Response. Creating them takes as long as the operation. */
  fetch(request: Request, connection?: Connection, record?: RequestRecord): Promise<Response>;
}

export const createFetch =
  (handle: App['handle']): App['fetch'] =>
  async (request, connection, record) =>
    toResponse(await handle(fromFetchRequest(request), connection, record));

/** Maximum number of counted clients, so that many addresses can't fill the memory. */
const maxWindows = 100_000;

/**
 * Creates the service as a function from Request to Response. It works in the same way in a server, a browser and a test.
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
  /** Creates a rate limiter; undefined if there are no limits, so that nothing is counted. */
  const limiter = (perMinute: Record<RatePolicy, number>): RateLimiter | undefined =>
    perMinute.reads + perMinute.orders > 0 ? createRateLimiter(perMinute, counting) : undefined;
  const guard: RequestGuard = {
    keys: engine.keys,
    countRequest: limiter({ reads, orders }),
    countCustomer: limiter({ reads: customerReadsPerMinute, orders: customerOrdersPerMinute }),
    noteRejection: deps.noteRejection,
  };
  const pipeline = createPipeline(
    { engine, settings, dialect, urls: createUrls(settings.publicUrl), localTime, hash },
    { ...deps, guard, calls: deps.room?.calls },
  );
  const nextRequestId = createRequestIds(deps.random);
  const router = createRouter(basePath, servedOperations(dialect));
  const site = createSite(deps, { guard, pipeline, localTime, basePath, router, dialect });
  const withhold = headerFilter(dialect);
  const cors = deps.corsOrigins && createCors(deps.corsOrigins, deps.room?.calls.headers);
  const ownLanguages = { locale: settings.locale, fieldLocale: 'en' } as const;

  /** Returns the languages of a response. A dialect may fix the interface's language. Pages and control routes use the client's language. */
  function languagesOf(
    request: SentRequest,
    isInterface: boolean,
  ): Pick<RequestContext, 'locale' | 'fieldLocale'> {
    const wanted = request.header(headers.acceptLanguage);
    if (!wanted || (dialect.language === 'fixed' && isInterface)) return ownLanguages;
    return {
      locale: chooseLocale(wanted, settings.locale),
      fieldLocale: chooseLocale(wanted, ownLanguages.fieldLocale),
    };
  }

  /** Responds to a request that matches no operation. */
  async function respondBeside(context: RequestContext, isInterface: boolean): Promise<PlainResponse> {
    const preflight = isInterface ? cors?.preflight(context.request) : null;
    if (!preflight) return toPlainResponse(await site.fetch(context.request.toRequest(), context));
    context.record.operation = 'preflight';
    return preflight;
  }

  /** Adds the headers that depend on the request, and CORS headers to responses of the interface. */
  function finish(
    { status, headers: prepared, body, isCut }: PlainResponse,
    { request, record, own }: RequestContext,
    isInterface: boolean,
  ): PlainResponse {
    own[headers.requestId] = record.requestId;
    // A 503 without `Retry-After` gets one. Header names in a Response are in lower case.
    const mayRetry = status !== 503 || headers.retryAfter in prepared || 'retry-after' in prepared;
    const response = {
      status,
      headers: prepared,
      own: mayRetry ? own : { [headers.retryAfter]: '1', ...own },
      body: request.method === 'HEAD' ? '' : body,
      ...(isCut && { isCut }),
    };
    if (!isInterface) return response;
    const sent = withhold?.(response) ?? response;
    return cors?.readable(sent, request.header('Origin')) ?? sent;
  }

  async function handle(
    request: SentRequest,
    connection: Connection = inProcess,
    record: RequestRecord = createRecord(request.method),
  ): Promise<PlainResponse> {
    record.requestId = nextRequestId(request.header(headers.requestId));
    const end = deps.room?.begin?.();
    const matched = router.match(request.method, request.target);
    const isInterface = matched !== null || isInterfacePath(pathOf(request.target), basePath);
    const context = { request, connection, record, own: {}, ...languagesOf(request, isInterface) };
    const response = await (matched
      ? pipeline.operate(matched, context)
      : respondBeside(context, isInterface));
    const finished = finish(response, context, isInterface);
    if (isInterface) end?.(request, finished, record);
    return finished;
  }

  return { handle, fetch: createFetch(handle) };
}
