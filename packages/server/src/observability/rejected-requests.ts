import type { Logger } from 'pino';
import type { CountRequest } from './requests.ts';

/** A request that was rejected before it reached the app. */
export interface Rejection {
  requestId: string;
  /** Method of the request; null if it could not be read. */
  method: string | null;
  /** Status of the response; null if there is no response. */
  status: number | null;
  error: string;
  /** Problem of the request, without any of its content. */
  reason: string;
}

export type ReportRejection = (rejection: Rejection) => void;

/** Logs one line for each malformed request that was rejected before it reached the app. */
export const createRejectionLog =
  (logger: Logger, count: CountRequest): ReportRejection =>
  ({ requestId, method, status, error, reason }) => {
    count('malformed', status, 0);
    logger.info(
      { requestId, ...(method !== null && { method }), operation: 'malformed', status, error, reason, ms: 0 },
      'request',
    );
  };

/** Interval at which the log reports the number of requests that an overloaded server rejected, in milliseconds. */
const shedLogMs = 10_000;

/**
 * Counts requests that were rejected because of overload. It logs the start, the number every ten seconds, and the end, because a line per
 * request would add load.
 */
export function createShedLog(logger: Logger, count: CountRequest): () => void {
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
    count('shed', 503, 0);
    shed += 1;
    if (timer) return;
    logger.warn('the server is overloaded, and rejects requests that it cannot handle in time');
    timer = setInterval(summarise, shedLogMs).unref();
  };
}
