import { noResponse, probePaths, type RequestRecord } from '@topup-kit/core/app';
import type { Operation } from '@topup-kit/core/contract';
import type { Level, Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import { LoggedError } from './redact.ts';

/** Called once for each handled request, with its record. */
export type ObserveRequest = (record: RequestRecord) => void;

/** Counts a request that the app handled, or that was rejected before it reached the app. `status` is null without a response. */
export type CountRequest = (operation: string, status: number | null, ms: number) => void;

/** Upper limits of the buckets, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Maximum number of requests of one kind to count together, because prom-client takes longest for the first of several. */
const maxUncounted = 1_000;

/** Durations of one kind of request that are not counted yet, in seconds, and their counters. */
interface Uncounted {
  seconds: number[];
  count(): void;
}

export function createRequestCounter(registry: Registry): CountRequest {
  /** Uncounted requests by operation and status. */
  const uncounted = new Map<string, Map<number | null, Uncounted>>();
  const requests = new Histogram({
    name: 'topup_http_request_duration_seconds',
    help: 'Requests by operation and status, with their duration.',
    labelNames: ['operation', 'status'],
    buckets,
    registers: [registry],
    collect() {
      for (const ofOperation of uncounted.values()) for (const { count } of ofOperation.values()) count();
    },
  });

  function add(operation: string, status: number | null): Uncounted {
    const series = requests.labels(operation, status === null ? 'aborted' : String(status));
    const seconds: number[] = [];
    const added = {
      seconds,
      count() {
        for (const taken of seconds) series.observe(taken);
        seconds.length = 0;
      },
    };
    const ofOperation = uncounted.get(operation) ?? new Map<number | null, Uncounted>();
    uncounted.set(operation, ofOperation.set(status, added));
    return added;
  }

  return (operation, status, ms) => {
    const { seconds, count } = uncounted.get(operation)?.get(status) ?? add(operation, status);
    seconds.push(ms / 1_000);
    if (seconds.length === maxUncounted) count();
  };
}

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Operations that change nothing, although they use POST. */
const readingPosts: ReadonlySet<string> = new Set(['validatePromo', 'checkAccount'] satisfies Operation[]);

/** Returns the log level of a request's line: for an internal error, an unavailable service, a rejection or change, and a read. */
function levelOf({ method, status, operation, error }: RequestRecord): Level {
  if (status === null) return 'info';
  // The reason for an unavailable service was logged when it began, so requests don't log it again.
  if (status >= 500) return error === null ? 'info' : status === 503 ? 'warn' : 'error';
  if (operation !== null && probePaths.has(operation)) return 'debug';
  const isRead = readMethods.has(method) || readingPosts.has(operation ?? '');
  return isRead && status < 400 ? 'debug' : 'info';
}

export const roundedMs = (ms: number): number => Math.round(ms * 100) / 100;

function endOf(status: number | null): string {
  if (status === null) return 'the client aborted the request';
  return status === noResponse.status ? 'the sandbox cut the connection' : 'request';
}

function logRequest(logger: Logger, level: Level, record: RequestRecord): void {
  const { requestId, method, operation, accountId, keyId, keyState, orderId, errorCode, error } = record;
  logger[level](
    {
      requestId,
      method,
      operation: operation ?? 'unknown',
      ...(accountId !== null && { account: accountId }),
      ...(keyId !== null && { key: keyId }),
      ...(keyState !== null && { keyState }),
      ...(orderId !== null && { order: orderId }),
      status: record.status,
      ...(errorCode !== null && { error: errorCode }),
      ms: roundedMs(record.ms),
      // The stack matters only for unexpected errors.
      ...(error !== null && { err: new LoggedError(error, { withStack: errorCode === 'SERVER_ERROR' }) }),
    },
    endOf(record.status),
  );
}

export interface RequestObserver {
  observe: ObserveRequest;
  total(): number;
}

/**
 * Creates an observer of requests: it counts each request, logs a line for it, and calls `others`, such as a watch. A
 * request that is not logged takes less than a microsecond.
 */
export function createRequestObserver(
  logger: Logger,
  count: CountRequest,
  others: readonly ObserveRequest[] = [],
): RequestObserver {
  let total = 0;
  return {
    total: () => total,
    observe(record) {
      total += 1;
      count(record.operation ?? 'unknown', record.status, record.ms);
      const level = levelOf(record);
      if (logger.isLevelEnabled(level)) logRequest(logger, level, record);
      for (const observe of others) observe(record);
    },
  };
}
