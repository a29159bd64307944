import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isCallbackPath, type PlainResponse, probePaths } from '@topup-kit/core/app';
import { headers as wire } from '@topup-kit/core/contract';
import type { BusyResponse } from './busy-response.ts';

/** Limits for the requests that one turn of the event loop accepts. */
interface Limits {
  /** Time for accepting requests, in milliseconds. */
  budgetMs: number;
  /** Number of requests that are always accepted: so few are not a queue, whatever made the turn long. */
  minAccepted: number;
}

const usual: Limits = { budgetMs: 500, minAccepted: 50 };

/** Limits while clients wait to connect. Each turn connects only some of them, so turns must be short. */
const whileConnecting: Limits = { budgetMs: 20, minAccepted: 10 };

/** Number of connections in a turn that suggests that clients are waiting: half of what the listeners can accept. */
const crowd = 32;
const maxConnectingMs = 100;

/** Time for accepting callbacks, in milliseconds. It is longer, because a provider repeats a rejected callback only minutes later. */
const callbackBudgetMs = 700;

/** Maximum length of an unused body that is still read, so that its connection can stay open, in bytes. */
const maxUnusedBody = 16 * 1024;

/** Maximum delay before a rejected client retries, in seconds. Delays are spread evenly, so that clients return at different times. */
const maxRetrySeconds = 16;

type Request = Pick<IncomingMessage, 'url' | 'headers'>;

const hasLongBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxUnusedBody;

/** A turn of the event loop, which reads all requests that arrived during the previous turn. */
interface Turn {
  /** Time when its first request or connection arrived. */
  began: number;
  accepted: number;
  limits: Limits;
}

/** Tracks the turns of the event loop, and the time for which clients have been waiting to connect. */
function followTurns(connections: Connections, clock: () => number): (now: number) => Turn {
  let turn: Turn | null = null;
  let connected = 0;
  let connectingSince: number | null = null;

  function end(): void {
    const isCrowd = connected >= crowd;
    connectingSince = isCrowd ? (connectingSince ?? turn?.began ?? null) : null;
    // The next turn shows whether clients still wait, even if no request arrives.
    if (isCrowd) setImmediate(end);
    connected = 0;
    turn = null;
  }

  function current(now: number): Turn {
    if (turn) return turn;
    const isTooLong = connectingSince !== null && now > connectingSince + maxConnectingMs;
    turn = { began: now, accepted: 0, limits: isTooLong ? whileConnecting : usual };
    // Ends the turn after all requests that had arrived when it started.
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
 * Rejects requests if there are more than the server can handle. Each turn of the event loop reads all requests that
 * arrived during the previous turn. It accepts them for 500 ms, and rejects later ones immediately, which keeps turns
 * and waiting times short (decisions/026).
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
  /** Clock in milliseconds, which never goes back. */
  clock?: () => number;
  /** Random number from 0 to less than 1. */
  random?: () => number;
}): (request: Request) => PlainResponse | null {
  const currentTurn = followTurns(connections, clock);

  function isTooLate({ url = '' }: Request, { accepted, limits }: Turn, elapsed: number): boolean {
    if (elapsed < limits.budgetMs || accepted < limits.minAccepted) return false;
    const path = url.split('?', 1)[0] ?? '';
    // Operators need probes most when a server is overloaded.
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
        // Some dialects don't send this header.
        ...(wire.retryAfter in busy.headers && { [wire.retryAfter]: String(retrySeconds) }),
        ...(hasLongBody(request) && { Connection: 'close' }),
      },
    };
  };
}
