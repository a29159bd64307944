import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { createRequestIds, type PlainResponse } from '@topup-kit/core/app';
import { headers as wire } from '@topup-kit/core/contract';
import { clientName } from '@topup-kit/core/http';
import { secureRandom } from '@topup-kit/core/platform';
import type { ReportRejection } from '../observability/request-log.ts';
import type { ClientAddresses } from './client.ts';
import {
  closeGently,
  endRequests,
  hasEnded,
  inTurn,
  isClosing,
  pendingResponse,
  waitingRequests,
} from './connections.ts';
import type { Writer } from './exchange.ts';
import { malformed, type Problem, problemOf, problems } from './malformed.ts';

/** How long a client's connections are rejected, in milliseconds. */
const rejectedMs = 10_000;

/**
 * Node's parser goes on to the end of what it has read, whatever became of the connection. A thousand requests in one packet cost
 * tens of milliseconds, so a client that sends such packets on new connections all the time would take all there is.
 *
 * @returns a function that ends all connections of the client that has this one, and for ten seconds each new one
 */
function createClientRejection(server: Server): (socket: Socket) => void {
  const open = new Set<Socket>();
  /** Until when each client is rejected. Sorted, because it is equally long for all. */
  const rejectedUntil = new Map<string, number>();

  function isRejected(client: string): boolean {
    const now = performance.now();
    for (const [name, until] of rejectedUntil) {
      if (until > now) break;
      rejectedUntil.delete(name);
    }
    return rejectedUntil.has(client);
  }

  // Before Node's own listener, which reads from it.
  server.prependListener('connection', (socket: Socket) => {
    if (rejectedUntil.size > 0 && isRejected(clientName(socket.remoteAddress))) return void socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  return (socket) => {
    const client = clientName(socket.remoteAddress);
    if (isRejected(client)) return;
    rejectedUntil.set(client, performance.now() + rejectedMs);
    for (const known of open) if (clientName(known.remoteAddress) === client) known.destroy();
  };
}

/** How many requests of a connection may wait for their turn. Few clients send one before they have the response to the last. */
const maxWaiting = 32;

const codes: Record<Problem['status'], string> = {
  400: 'BAD_REQUEST',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  417: 'EXPECTATION_FAILED',
  431: 'HEADERS_TOO_LARGE',
  505: 'HTTP_VERSION_NOT_SUPPORTED',
};

/** The response to a rejected request, which is always the last of its connection. */
function responseTo({ status, message }: Problem, requestId: string): PlainResponse {
  const body = { success: false, message, error_code: codes[status], errors: {} };
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      [wire.errorCode]: codes[status],
      [wire.requestId]: requestId,
      Connection: 'close',
    },
    body: JSON.stringify(body),
  };
}

/** Rejects what has no response of Node's, or one that can no longer be used. */
function rejectConnection(socket: Socket, problem: Problem, requestId: string): void {
  if (isClosing(socket)) return;
  if (socket.writable && !pendingResponse(socket)?.headersSent) {
    const { status, headers, body } = responseTo(problem, requestId);
    const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
  // Not for long: who sends this, or takes too long, may go on sending for ever.
  closeGently(socket, 1);
}

/** The problems that Node's parser finds, by its error codes; all others are malformed requests. */
const parserProblems: ReadonlyMap<string, Problem> = new Map(
  Object.entries<Problem>({
    HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
    HPE_CHUNK_EXTENSIONS_OVERFLOW: problems.chunkExtension,
    HPE_PAUSED_H2_UPGRADE: problems.version,
    ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  }),
);

function parserProblem(error: Error & { code?: string; reason?: string }): Problem {
  if (error.code === 'HPE_INVALID_VERSION' && error.reason === 'Invalid HTTP version')
    return problems.version;
  return (
    parserProblems.get(error.code ?? '') ??
    malformed(`The request is not valid HTTP: ${error.reason ?? error.code ?? 'it could not be read'}.`)
  );
}

/**
 * Puts a guard in front of `serve`: a request that is malformed, or that two servers could read differently, is rejected,
 * and its connection is closed.
 *
 * Node's parser accepts extensions of chunks and shows them nowhere, so a request with a chunked body is the last of its
 * connection: wherever somebody else thinks that it ends, what follows is never taken for a request.
 */
export function installGuard(
  server: Server,
  {
    serve,
    write,
    report = () => {},
    isFromProxy = () => false,
  }: {
    serve: RequestListener;
    write: Writer['write'];
    report?: ReportRejection;
    isFromProxy?: ClientAddresses['isFromProxy'];
  },
): void {
  const nextRequestId = createRequestIds(secureRandom);
  const rejectClient = createClientRejection(server);

  const reportProblem = (problem: Problem, requestId: string, method: string | null): void =>
    report({
      requestId,
      method,
      status: problem.status,
      error: codes[problem.status],
      reason: problem.message,
    });

  function rejectRequest(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
    const own = request.headers[wire.requestId.toLowerCase()];
    const requestId = nextRequestId(typeof own === 'string' ? own : null);
    reportProblem(problem, requestId, request.method ?? null);
    endRequests(request.socket);
    inTurn(request.socket, response, () => write(response, responseTo(problem, requestId)));
    request.resume();
  }

  function rejectSocket(socket: Socket, problem: Problem): void {
    const requestId = nextRequestId(null);
    // A request that the app has already is reported by the app.
    if (!isClosing(socket) && !pendingResponse(socket)) reportProblem(problem, requestId, null);
    rejectConnection(socket, problem, requestId);
  }

  /** Node keeps several kB for each request that it has parsed, until its connection ends: one packet can hold a thousand. */
  function cut(request: IncomingMessage): void {
    const { socket } = request;
    report({
      requestId: nextRequestId(null),
      method: null,
      status: null,
      error: 'TOO_MANY_REQUESTS',
      reason: `More than ${maxWaiting} requests waited for their turn on one connection.`,
    });
    endRequests(socket);
    // A proxy has the connections of many clients.
    if (!isFromProxy(request)) rejectClient(socket);
    socket.destroy();
  }

  server.on('request', (request, response) => {
    const { socket } = request;
    if (hasEnded(socket)) return void request.resume();
    if (waitingRequests(socket) === maxWaiting) return cut(request);
    const problem = problemOf(request);
    if (problem) return rejectRequest(request, response, problem);
    if (request.headers['transfer-encoding'] !== undefined) {
      endRequests(socket);
      response.setHeader('Connection', 'close');
    }
    inTurn(socket, response, () => serve(request, response));
  });
  server.on('checkExpectation', (request, response) => {
    if (hasEnded(request.socket)) return void request.resume();
    rejectRequest(request, response, problemOf(request) ?? problems.expectation);
  });
  server.on('connect', (_request, socket: Socket) => rejectSocket(socket, problems.target));
  server.on('clientError', (error, socket) => {
    // Safe: the server listens over TCP only.
    const connection = socket as Socket;
    // The client broke the connection.
    if ('code' in error && error.code === 'ECONNRESET') connection.destroy();
    else rejectSocket(connection, parserProblem(error));
  });
}
