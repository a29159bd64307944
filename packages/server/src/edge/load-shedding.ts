import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isCallbackPath, type PlainResponse, probePaths } from '@topup-kit/core/app';
import { headers as wire } from '@topup-kit/core/contract';
import type { BusyResponse } from './busy-response.ts';

/** What is accepted in one turn of the event loop. */
interface Limits {
  /** For how long requests are accepted, in milliseconds. */
  budgetMs: number;
  /** How many are accepted in any case: so few are no queue, whatever made the turn long. */
  minAccepted: number;
}

const usual: Limits = { budgetMs: 500, minAccepted: 50 };

/** While clients wait to be connected: each turn connects only some of them, so turns must be short. */
const whileConnecting: Limits = { budgetMs: 20, minAccepted: 10 };

/** So many connections in one turn are half of what its listeners can accept: others wait, and for how long may they do. */
const crowd = 32;
const maxConnectingMs = 100;

/** A provider whose callback is rejected sends it again minutes later, so callbacks are accepted for longer. */
const callbackBudgetMs = 700;

/** The longest body that is read to its end although it is of no use, so that its connection can stay open, in bytes. */
const maxUnusedBody = 16 * 1024;

/** The longest time after which a rejected client is to come again, in seconds. */
const maxRetrySeconds = 16;

/** The part of what can be accepted that is left for rejected clients, however many others come. */
const reserved = 1 / 16;

/**
 * Decides when rejected clients may come again: each in the first second that is not booked up. So as many come as can be
 * accepted, because rejecting a request costs a noticeable part of handling it.
 */
function createRetryTimes(): {
  count(now: number, isAccepted: boolean): void;
  /** In how many seconds to come again, to a server that accepts so many in a second, as far as this turn tells. */
  next(perSecond: number): number;
} {
  let second = 0;
  let came = 0;
  let accepted = 0;
  /** How many were accepted in the second before, and how many had come in it without having been told to. */
  let acceptedBefore = 0;
  let others = 0;
  /** How many were told to come in this second and in each after it. */
  let booked: number[] = [];
  let turn = 0;
  return {
    count(now, isAccepted) {
      const passed = Math.floor(now / 1_000) - second;
      if (passed > 0) {
        others = passed === 1 ? came - (booked[0] ?? 0) : 0;
        acceptedBefore = passed === 1 ? accepted : 0;
        booked = booked.slice(passed);
        second += passed;
        came = 0;
        accepted = 0;
      }
      came += 1;
      if (isAccepted) accepted += 1;
    },
    next(perSecond) {
      // A turn may have waited for a disk.
      const capacity = Math.max(perSecond, acceptedBefore);
      const places = Math.max(capacity * reserved, capacity - others);
      let after = 1;
      while (after <= maxRetrySeconds && (booked[after] ?? 0) >= places) after += 1;
      if (after > maxRetrySeconds) after = 1 + (turn++ % maxRetrySeconds);
      while (booked.length <= after) booked.push(0);
      booked[after] = (booked[after] ?? 0) + 1;
      return after;
    },
  };
}

/** What is looked at of a request. */
type Request = Pick<IncomingMessage, 'url' | 'headers'>;

const hasLongBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxUnusedBody;

/** A turn of the event loop, which reads all requests that arrived during the one before. */
interface Turn {
  /** When its first request or connection came. */
  began: number;
  accepted: number;
  limits: Limits;
}

/** Follows the turns of the event loop, and how long there have been clients that wait to be connected. */
function followTurns(connections: Connections): (now: number) => Turn {
  let turn: Turn | null = null;
  let connected = 0;
  let connectingSince: number | null = null;

  function end(): void {
    const isCrowd = connected >= crowd;
    connectingSince = isCrowd ? (connectingSince ?? turn?.began ?? null) : null;
    // The next turn shows whether it is gone, also if it has no request.
    if (isCrowd) setImmediate(end);
    connected = 0;
    turn = null;
  }

  function current(now: number): Turn {
    if (turn) return turn;
    const isTooLong = connectingSince !== null && now > connectingSince + maxConnectingMs;
    turn = { began: now, accepted: 0, limits: isTooLong ? whileConnecting : usual };
    // Runs after all requests that had arrived when the turn began.
    if (connectingSince === null) setImmediate(end);
    return turn;
  }

  connections.on('connection', () => {
    current(performance.now());
    connected += 1;
  });
  return current;
}

/** What tells of new connections: a server. */
type Connections = Pick<EventEmitter, 'on'>;

/**
 * Rejects requests when there are more than the server can handle. Each turn of the event loop reads all requests that
 * arrived during the one before. It accepts them for 500 ms, and tells the others at once to come again, so that turns and
 * with them all waiting times stay short (decisions/026).
 *
 * @param report called for each rejected request
 * @returns a function that accepts a request by null, or returns the response that rejects it
 */
export function createShedding(
  connections: Connections,
  busyResponse: BusyResponse,
  report: () => void,
): (request: Request) => PlainResponse | null {
  const retryTimes = createRetryTimes();
  const currentTurn = followTurns(connections);

  function isTooLate({ url = '' }: Request, { accepted, limits }: Turn, elapsed: number): boolean {
    if (elapsed < limits.budgetMs || accepted < limits.minAccepted) return false;
    const path = url.split('?', 1)[0] ?? '';
    // What operators need most when the server is overloaded.
    if (probePaths.has(path)) return false;
    return elapsed >= callbackBudgetMs || !isCallbackPath(path);
  }

  return (request) => {
    const now = performance.now();
    const turn = currentTurn(now);
    const elapsed = now - turn.began;
    const isAccepted = !isTooLate(request, turn, elapsed);
    retryTimes.count(now, isAccepted);
    if (isAccepted) {
      turn.accepted += 1;
      return null;
    }
    report();
    const busy = busyResponse(request);
    return {
      ...busy,
      headers: {
        ...busy.headers,
        // Some dialects don't send it.
        ...(wire.retryAfter in busy.headers && {
          [wire.retryAfter]: String(retryTimes.next((turn.accepted / elapsed) * 1_000)),
        }),
        ...(hasLongBody(request) && { Connection: 'close' }),
      },
    };
  };
}
