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

/** Rejected clients come again after 1 to so many seconds, spread evenly, so that they don't all come at once. */
const maxRetrySeconds = 16;

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
function followTurns(connections: Connections, clock: () => number): (now: number) => Turn {
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
    current(clock());
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
 * @returns a function that accepts a request by null, or returns the response that rejects it
 */
export function createShedding({
  connections,
  busyResponse,
  report,
  clock = () => performance.now(),
  random = Math.random,
}: {
  connections: Connections;
  busyResponse: BusyResponse;
  report: () => void;
  /** In milliseconds; it never goes back. */
  clock?: () => number;
  /** From 0 to less than 1. */
  random?: () => number;
}): (request: Request) => PlainResponse | null {
  const currentTurn = followTurns(connections, clock);

  function isTooLate({ url = '' }: Request, { accepted, limits }: Turn, elapsed: number): boolean {
    if (elapsed < limits.budgetMs || accepted < limits.minAccepted) return false;
    const path = url.split('?', 1)[0] ?? '';
    // What operators need most when the server is overloaded.
    if (probePaths.has(path)) return false;
    return elapsed >= callbackBudgetMs || !isCallbackPath(path);
  }

  return (request) => {
    const now = clock();
    const turn = currentTurn(now);
    if (!isTooLate(request, turn, now - turn.began)) {
      turn.accepted += 1;
      return null;
    }
    report();
    const busy = busyResponse(request);
    const retrySeconds = 1 + Math.floor(random() * maxRetrySeconds);
    return {
      ...busy,
      headers: {
        ...busy.headers,
        // Some dialects don't send it.
        ...(wire.retryAfter in busy.headers && { [wire.retryAfter]: String(retrySeconds) }),
        ...(hasLongBody(request) && { Connection: 'close' }),
      },
    };
  };
}
