import type { IncomingMessage, RequestListener } from 'node:http';
import { isCallbackPath, probePaths } from '@topup-kit/core/app';
import { headers as wire } from '@topup-kit/core/contract';
import type { BusyResponse } from './busy-response.ts';

/** For how long new requests are accepted in one turn of the event loop, in milliseconds. */
const budgetMs = 100;

/** How many are accepted in any case: so few are no queue, whatever made the turn long. */
const minAccepted = 50;

/** A provider whose callback is rejected sends it again minutes later, so callbacks are accepted for longer. */
const callbackBudgetMs = 2 * budgetMs;

/** The longest body that is read to its end although it is of no use, so that its connection can stay open, in bytes. */
const maxUnusedBody = 16 * 1024;

/** How far apart the times are at which rejected clients may come again, in seconds: at first, and at most. */
const minSpread = 2;
const maxSpread = 16;

/** How often the spread is adapted, in milliseconds, and the part of requests that may be rejected until it grows. */
const adaptMs = 1_000;
const maxShare = 1 / 6;

/**
 * Decides when rejected clients may come again. Rejecting one costs a noticeable part of handling it, so they are spread over
 * twice the time for as long as too many are rejected.
 */
function createRetryTimes(): { count(rejected: boolean, now: number): void; next(): number } {
  let spread = minSpread;
  let since = 0;
  let all = 0;
  let rejected = 0;
  let turn = 0;
  return {
    count(isRejected, now) {
      if (now > since + adaptMs) {
        spread =
          rejected > all * maxShare ? Math.min(maxSpread, spread * 2) : Math.max(minSpread, spread / 2);
        since = now;
        all = 0;
        rejected = 0;
      }
      all += 1;
      if (isRejected) rejected += 1;
    },
    next: () => 1 + (turn++ % spread),
  };
}

const hasLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxUnusedBody;

/**
 * Rejects requests when there are more than the server can handle. Each turn of the event loop reads all requests that
 * arrived during the one before. It accepts them for 100 ms, and tells the others at once to come again, so that turns and
 * with them all waiting times stay short (decisions/026).
 *
 * @param report called for each rejected request
 */
export function shedLoad(
  serve: RequestListener,
  busyResponse: BusyResponse,
  report: () => void,
): RequestListener {
  const retryTimes = createRetryTimes();
  let turnBegan: number | null = null;
  let accepted = 0;
  const endTurn = (): void => {
    turnBegan = null;
  };

  function isTooLate({ url = '' }: IncomingMessage, elapsed: number): boolean {
    if (elapsed < budgetMs || accepted < minAccepted) return false;
    const path = url.split('?', 1)[0] ?? '';
    // What operators need most when the server is overloaded.
    if (probePaths.has(path)) return false;
    return elapsed >= callbackBudgetMs || !isCallbackPath(path);
  }

  return (request, response) => {
    const now = performance.now();
    if (turnBegan === null) {
      turnBegan = now;
      accepted = 0;
      // Runs after all requests that had arrived when the turn began.
      setImmediate(endTurn);
    }
    const rejects = isTooLate(request, now - turnBegan);
    retryTimes.count(rejects, now);
    if (!rejects) {
      accepted += 1;
      return serve(request, response);
    }
    report();
    const { status, headers, body } = busyResponse(request);
    response.writeHead(status, {
      ...headers,
      // Some dialects don't send it.
      ...(wire.retryAfter in headers && { [wire.retryAfter]: retryTimes.next() }),
      'Content-Length': Buffer.byteLength(body),
      ...(hasLongBody(request) && { Connection: 'close' }),
    });
    response.end(body);
  };
}
