import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { createRequestIds, type PlainResponse } from '@topup-kit/core/app';
import { headers as wire } from '@topup-kit/core/contract';
import { clientName } from '@topup-kit/core/http';
import { secureRandom } from '@topup-kit/core/platform';
import type { ReportRejection } from '../observability/rejected-requests.ts';
import { closeGently, isClosing } from './close.ts';
import { endRequests, inTurn, maxWaiting, pendingResponse } from './connections.ts';
import type { Writer } from './exchange.ts';

/** Reason why a request is rejected before it reaches the app. */
export interface Problem {
  status: 400 | 408 | 413 | 415 | 417 | 431 | 505;
  message: string;
}

export const malformed = (message: string): Problem => ({ status: 400, message });

export const problems = {
  version: { status: 505, message: 'The server supports only HTTP/1.1 and HTTP/1.0.' },
  target: malformed('The target of the request must be a path that begins with a slash.'),
  fragment: malformed('The target of the request must not have a fragment (#).'),
  segments: malformed('The path of the request must have no dot segments and no backslashes.'),
  host: malformed('The request must have one valid Host header.'),
  repeated: malformed('The request must not repeat Content-Type, Content-Encoding or Idempotency-Key.'),
  body: malformed('A GET or HEAD request must not have a body.'),
  transferEncoding: malformed('Transfer-Encoding must be chunked, and needs HTTP/1.1.'),
  chunkExtension: malformed('The chunks of the body must not have extensions.'),
  contentEncoding: { status: 415, message: 'The body must not be compressed: leave out Content-Encoding.' },
  expectation: { status: 417, message: 'The server supports no expectation except 100-continue.' },
  charset: { status: 415, message: 'The body must be UTF-8.' },
} satisfies Record<string, Problem>;

const codes: Record<Problem['status'], string> = {
  400: 'BAD_REQUEST',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  417: 'EXPECTATION_FAILED',
  431: 'HEADERS_TOO_LARGE',
  505: 'HTTP_VERSION_NOT_SUPPORTED',
};

/** Creates the response to a rejected request, always the last response of its connection. */
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

/** Rejects a connection that can't receive a usable response. */
function rejectConnection(socket: Socket, problem: Problem, requestId: string): void {
  if (isClosing(socket)) return;
  if (socket.writable && !pendingResponse(socket)?.headersSent) {
    const { status, headers, body } = responseTo(problem, requestId);
    const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
  // Waits only briefly, because such a client may keep sending forever.
  closeGently(socket, 1);
}

/** Problems that Node's parser finds, by its error codes; all others are malformed requests. */
const parserProblems: ReadonlyMap<string, Problem> = new Map(
  Object.entries<Problem>({
    HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
    HPE_CHUNK_EXTENSIONS_OVERFLOW: problems.chunkExtension,
    HPE_PAUSED_H2_UPGRADE: problems.version,
    ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  }),
);

export function parserProblem(error: Error & { code?: string; reason?: string }): Problem {
  if (error.code === 'HPE_INVALID_VERSION' && error.reason === 'Invalid HTTP version')
    return problems.version;
  return (
    parserProblems.get(error.code ?? '') ??
    malformed(`The request is not valid HTTP: ${error.reason ?? error.code ?? 'it could not be read'}.`)
  );
}

/** Time for which a client's connections are rejected, in milliseconds. */
const rejectedMs = 10_000;

/**
 * Node's parser parses everything that it has read, even on a closed connection. A thousand requests in one packet take
 * tens of milliseconds, so a client that keeps opening connections with such packets would overload the server.
 *
 * @returns a function that ends all connections of a connection's client, and rejects new ones for ten seconds
 */
function createClientRejection(server: Server): (socket: Socket) => void {
  const open = new Set<Socket>();
  /** End of each client's rejection. The entries are sorted, because all rejections last equally long. */
  const rejectedUntil = new Map<string, number>();

  function isRejected(client: string): boolean {
    const now = performance.now();
    for (const [name, until] of rejectedUntil) {
      if (until > now) break;
      rejectedUntil.delete(name);
    }
    return rejectedUntil.has(client);
  }

  // Runs before Node's own listener, which reads from the socket.
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

export interface Rejections {
  /** Responds to a request that Node's parser accepted; it is the last request of its connection. */
  request(request: IncomingMessage, response: ServerResponse, problem: Problem): void;
  /** Rejects data that Node's parser did not accept. */
  socket(socket: Socket, problem: Problem): void;
  /** Closes all connections of a client that has too many waiting requests. */
  crowd(request: IncomingMessage): void;
}

export function createRejections(
  server: Server,
  {
    write,
    report,
    isFromProxy,
  }: { write: Writer['write']; report: ReportRejection; isFromProxy: (request: IncomingMessage) => boolean },
): Rejections {
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

  return {
    request(request, response, problem) {
      const own = request.headers[wire.requestId.toLowerCase()];
      const requestId = nextRequestId(typeof own === 'string' ? own : null);
      reportProblem(problem, requestId, request.method ?? null);
      endRequests(request.socket);
      inTurn(request.socket, response, () => write(response, responseTo(problem, requestId)));
      request.resume();
    },
    socket(socket, problem) {
      const requestId = nextRequestId(null);
      // The app reports the problem of a request that has already reached it.
      if (!isClosing(socket) && !pendingResponse(socket)) reportProblem(problem, requestId, null);
      rejectConnection(socket, problem, requestId);
    },
    /** Node keeps several kB for each parsed request until its connection ends, and one packet can contain a thousand. */
    crowd(request) {
      const { socket } = request;
      report({
        requestId: nextRequestId(null),
        method: null,
        status: null,
        error: 'TOO_MANY_REQUESTS',
        reason: `More than ${maxWaiting} requests waited for their turn on one connection.`,
      });
      endRequests(socket);
      // A proxy's connection may carry requests from many clients.
      if (!isFromProxy(request)) rejectClient(socket);
      socket.destroy();
    },
  };
}
