import { noResponse, probePaths, type RequestLogFields } from '@topup-kit/core/app';
import type { Operation } from '@topup-kit/core/contract';
import type { Level, Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import type { ProviderCall } from './providers.ts';
import { LoggedError } from './redact.ts';

/** A request that has ended. */
export interface EndedRequest {
  method: string;
  /** Null when the client broke off before there was a response, and 0 when the sandbox cut its connection instead. */
  status: number | null;
  facts: RequestLogFields;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** Called once for each request that the app has handled. */
export type ObserveRequest = (request: EndedRequest) => void;

/** A request that was rejected before the app saw it. */
export interface Rejection {
  requestId: string;
  /** Null when not even that could be read. */
  method: string | null;
  /** Null when it got no response. */
  status: number | null;
  error: string;
  /** What is wrong with it, without anything that it says. */
  reason: string;
}

/** Called for each rejection. */
export type ReportRejection = (rejection: Rejection) => void;

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Operations that change nothing, although they are sent by POST. */
const readingPosts: ReadonlySet<string> = new Set(['validatePromo', 'checkAccount'] satisfies Operation[]);

/**
 * The level of a request's line: an error of ours, a service that can't work at the moment, a rejection or a change, and
 * what only reads.
 */
function levelOf({ method, status, facts }: Pick<EndedRequest, 'method' | 'status' | 'facts'>): Level {
  if (status === null) return 'info';
  // What keeps the service from working was reported when it began, so that it has no line for each request.
  if (status >= 500) return facts.error === null ? 'info' : status === 503 ? 'warn' : 'error';
  if (facts.operation !== null && probePaths.has(facts.operation)) return 'debug';
  const isRead = readMethods.has(method) || readingPosts.has(facts.operation ?? '');
  return isRead && status < 400 ? 'debug' : 'info';
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

function endOf(status: number | null): string {
  if (status === null) return 'the client broke off the request';
  return status === noResponse.status ? 'the sandbox cut the connection' : 'request';
}

/** Logs one line for each request, and counts it. A request that nobody logs costs less than a microsecond. */
export function createRequestLog(logger: Logger, metrics: Pick<Metrics, 'countRequest'>): ObserveRequest {
  return (request) => {
    const { method, status, facts, ms } = request;
    const { requestId, operation, accountId, keyId, keyState, orderId, errorCode, error } = facts;
    metrics.countRequest(operation ?? 'unknown', status, ms);
    const level = levelOf(request);
    if (!logger.isLevelEnabled(level)) return;
    logger[level](
      {
        requestId,
        method,
        operation: operation ?? 'unknown',
        ...(accountId !== null && { account: accountId }),
        ...(keyId !== null && { key: keyId }),
        ...(keyState !== null && { keyState }),
        ...(orderId !== null && { order: orderId }),
        status,
        ...(errorCode !== null && { error: errorCode }),
        ms: rounded(ms),
        // The place is of interest only where nobody expected an error.
        ...(error !== null && { err: new LoggedError(error, { withStack: errorCode === 'SERVER_ERROR' }) }),
      },
      endOf(status),
    );
  };
}

/** Logs one line for each request that was rejected before the app saw it, because it was malformed. */
export const createRejectionLog =
  (logger: Logger, metrics: Pick<Metrics, 'countRequest'>): ReportRejection =>
  ({ requestId, method, status, error, reason }) => {
    metrics.countRequest('malformed', status, 0);
    logger.info(
      { requestId, ...(method !== null && { method }), operation: 'malformed', status, error, reason, ms: 0 },
      'request',
    );
  };

/** How often the log says how many requests an overloaded server has rejected, in milliseconds. */
const shedLogMs = 10_000;

/**
 * Counts each request that was rejected because of too much load. Logs when that begins, how many there were every ten
 * seconds, and when it is over: a line for each would be more load.
 */
export function createShedLog(logger: Logger, metrics: Pick<Metrics, 'countRequest'>): () => void {
  let shed = 0;
  let timer: NodeJS.Timeout | undefined;
  const summarise = (): void => {
    if (shed > 0) logger.warn({ shed }, 'the server has rejected requests, because it is overloaded');
    else {
      clearInterval(timer);
      timer = undefined;
      logger.warn('the server is no longer overloaded');
    }
    shed = 0;
  };
  return () => {
    metrics.countRequest('shed', 503, 0);
    shed += 1;
    if (timer) return;
    logger.warn('the server is overloaded, and rejects requests that it cannot handle in time');
    timer = setInterval(summarise, shedLogMs).unref();
  };
}

/** Logs one line for each call of a gateway or a supplier. Who called it reports its error. */
export const createCallLog =
  (logger: Logger, metrics: Pick<Metrics, 'countProviderCall'>) =>
  (call: ProviderCall): void => {
    metrics.countProviderCall(call);
    const { provider, orderId, outcome, ms } = call;
    logger.debug(
      { provider, call: call.call, ...(orderId !== null && { order: orderId }), outcome, ms: rounded(ms) },
      'a provider was called',
    );
  };
