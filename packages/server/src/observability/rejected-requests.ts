import type { Logger } from 'pino';
import type { CountRequest } from './requests.ts';

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

export type ReportRejection = (rejection: Rejection) => void;

/** Logs one line for each request that was rejected before the app saw it, because it was malformed. */
export const createRejectionLog =
  (logger: Logger, count: CountRequest): ReportRejection =>
  ({ requestId, method, status, error, reason }) => {
    count('malformed', status, 0);
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
