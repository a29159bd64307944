import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isCallbackPath, type PlainResponse, probePaths } from '@topup-kit/core/app';
import { headers as wire } from '@topup-kit/core/contract';
import type { BusyResponse } from './busy-response.ts';

/** The requests to accept in one turn of the event loop. */
interface Limits {
  /** Time for accepting requests, in milliseconds. */
  budgetMs: number;
  /** Always accepted: so few are not a queue, whatever made the turn long. */
  minAccepted: number;
}

const usual: Limits = { budgetMs: 500, minAccepted: 50 };

/** While clients wait to connect: each turn connects only some of them, so turns must be short. */
const whileConnecting: Limits = { budgetMs: 20, minAccepted: 10 };

/** This many connections in a turn are half of what its listeners can accept, so other clients may be waiting. */
const crowd = 32;
const maxConnectingMs = 100;

/** A provider repeats a rejected callback only minutes later, so callbacks are accepted for longer. */
const callbackBudgetMs = 700;

/** Maximum length of an unused body that is still read, so that its connection can stay open, in bytes. */
const maxUnusedBody = 16 * 1024;

/** Rejected clients retry after 1 to this many seconds, evenly distributed, so that they don't all come together. */
const maxRetrySeconds = 16;

type Request = Pick<IncomingMessage, 'url' | 'headers'>;

const hasLongBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxUnusedBody;

/** A turn of the event loop, which reads all requests that arrived during the previous one. */
interface Turn {
  /** When its first request or connection arrived. */
  began: number;
  accepted: number;
  limits: Limits;
}

/** Follows the turns of the event loop, and for how long clients have been waiting to connect. */
function followTurns(connections: Connections, clock: () => number): (now: number) => Turn {
  let turn: Turn | null = null;
  let connected = 0;
  let connectingSince: number | null = null;

  function end(): void {
    const isCrowd = connected >= crowd;
    connectingSince = isCrowd ? (connectingSince ?? turn?.began ?? null) : null;
    // The next turn shows whether they are gone, even without a request.
    if (isCrowd) setImmediate(end);
    connected = 0;
    turn = null;
  }

  function current(now: number): Turn {
    if (turn) return turn;
    const isTooLong = connectingSince !== null && now > connectingSince + maxConnectingMs;
    turn = { began: now, accepted: 0, limits: isTooLong ? whileConnecting : usual };
    // Runs after all requests that had arrived when the turn started.
    if (connectingSince === null) setImmediate(end);
    return turn;
  }

  connections.on('connection', () => {
    current(clock());
    connected += 1;
  });
  return current;
}

/** A source of new connections: a server. */
type Connections = Pick<EventEmitter, 'on'>;

/**
 * Rejects requests if there are more than the server can handle. Each turn of the event loop reads all requests that arrived during the
 * previous one. It accepts them for 500 ms, and rejects later ones immediately, which keeps turns and waiting times short
 * (decisions/026).
 *
 * @returns a function that returns null to accept a request, or the response to reject it with
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
    // Operators need these most on an overloaded server.
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
