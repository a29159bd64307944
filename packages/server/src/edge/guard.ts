import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import { createRequestIds, type MatchedOperation, type MatchOperation } from '@topup-kit/core/app';
import { headers as wire } from '@topup-kit/core/contract';
import { secureRandom } from '@topup-kit/core/platform';
import { closeGently, isClosing, pendingResponse } from './connections.ts';
import { bytesBeingParsed } from './followed-requests.ts';
import type { RepeatedReads } from './repeated-reads.ts';

/** Why a request is rejected before the app sees it. */
interface Problem {
  status: 400 | 408 | 413 | 415 | 417 | 431 | 505;
  message: string;
}

const codes: Record<Problem['status'], string> = {
  400: 'BAD_REQUEST',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  417: 'EXPECTATION_FAILED',
  431: 'HEADERS_TOO_LARGE',
  505: 'HTTP_VERSION_NOT_SUPPORTED',
};

const malformed = (message: string): Problem => ({ status: 400, message });

const problems = {
  version: { status: 505, message: 'The server speaks HTTP/1.1 and HTTP/1.0.' },
  requestLine: malformed(
    'The first line of the request must be a method, a target and HTTP/1.1, with one space between them.',
  ),
  target: malformed('The target of the request must be a path that begins with a slash.'),
  fragment: malformed('The target of the request must not have a fragment (#).'),
  segments: malformed('The path of the request must have no dot segments and no backslashes.'),
  host: malformed('The request must have one valid Host header.'),
  repeated: malformed('The request must not repeat Content-Type, Content-Encoding or Idempotency-Key.'),
  body: malformed('A GET or HEAD request must not have a body.'),
  transferEncoding: malformed('Transfer-Encoding must be chunked, and needs HTTP/1.1.'),
  chunkExtension: malformed('The chunks of the body must not have extensions.'),
  contentEncoding: { status: 415, message: 'The body must not be compressed: leave out Content-Encoding.' },
  expectation: { status: 417, message: 'The server knows no expectation but 100-continue.' },
  charset: { status: 415, message: 'The body must be UTF-8.' },
} satisfies Record<string, Problem>;

const hostName = /^[a-z0-9._-]+$/i;
const lastLabelIsNumber = /(^|\.)(\d+|0x[\da-f]*)\.?$/i;

function isValidHost(host: string): boolean {
  const [, bracketed, name = '', port = '0'] = /^(?:\[(.*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(host) ?? [];
  if (Number(port) > 65_535) return false;
  if (bracketed !== undefined) return isIPv6(bracketed) && !bracketed.includes('%');
  return hostName.test(name) && (isIPv4(name) || !lastLabelIsNumber.test(name));
}

/** Most requests of a server name the same host. */
let lastValidHost = '';

function hasValidHost(host: string): boolean {
  if (host === lastValidHost) return true;
  const valid = isValidHost(host);
  if (valid) lastValidHost = host;
  return valid;
}

const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)|\\/i;

function targetProblem(url: string): Problem | undefined {
  if (url.charCodeAt(0) !== 47) return problems.target;
  if (url.includes('#')) return problems.fragment;
  const query = url.indexOf('?');
  return dotSegment.test(query === -1 ? url : url.slice(0, query)) ? problems.segments : undefined;
}

/** Headers that have one meaning only once; Node keeps the first of most. Of several keys, `X-API-KEY`, the app rejects all. */
const single = new Set(['content-type', 'content-encoding', wire.idempotencyKey.toLowerCase()]);

/** The lengths of those names and of `host`, so that other names need no comparison. */
const isSingleLength = (length: number): boolean => length === 12 || length === 15 || length === 16;

function headerProblem({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): Problem | undefined {
  let hosts = 0;
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4) hosts += name.toLowerCase() === 'host' ? 1 : 0;
    else if (isSingleLength(name.length)) {
      const lower = name.toLowerCase();
      if (!single.has(lower)) continue;
      if (seen?.includes(lower)) return problems.repeated;
      seen = [...(seen ?? []), lower];
    }
  }
  // HTTP/1.0 knows no Host.
  if (hosts === 0 && httpVersionMinor === 0) return undefined;
  return hosts === 1 && hasValidHost(headers.host ?? '') ? undefined : problems.host;
}

const otherCharset = /;\s*charset\s*=\s*"?(?!utf-?8\b|us-ascii\b)/i;

function bodyProblem({ method, headers, httpVersionMinor }: IncomingMessage): Problem | undefined {
  const encoding = headers['transfer-encoding'];
  const length = headers['content-length'];
  if (encoding !== undefined && (httpVersionMinor === 0 || encoding.toLowerCase() !== 'chunked'))
    return problems.transferEncoding;
  if ((method === 'GET' || method === 'HEAD') && (encoding !== undefined || Number(length ?? 0) > 0))
    return problems.body;
  const contentEncoding = headers['content-encoding'];
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity')
    return problems.contentEncoding;
  const type = headers['content-type'];
  return type !== undefined && otherCharset.test(type) ? problems.charset : undefined;
}

/** A first line with too many spaces or another protocol. No valid JSON and no header has this. */
const oddRequestLine = /(?:^|\n)[A-Z-]+(?: {2,}\S+ +\S+| +\S+ {2,}\S+| \S+ (?!HTTP\/)[A-Z]+\/\d\.\d)\r\n/;

/** A chunk's size with an extension; what is read may begin between the two bytes of the line's end. No valid JSON and no head has this. */
const chunkExtension = /(?:^|\r)\n[\da-f]+[ \t]*;/i;

/** The last characters of a text, as a copy: a slice would keep all of it. */
const tailOf = (text: string): string => Buffer.from(text.slice(-64), 'latin1').toString('latin1');

/** Reads the chunks of a request that come later before Node parses them, and calls `found` at an extension. */
function watchChunks(request: IncomingMessage, bytes: string, found: () => void): void {
  const { socket } = request;
  const parsers = socket.listeners('data');
  let tail = tailOf(bytes);
  const watch = (chunk: Buffer): void => {
    if (isClosing(socket)) return;
    const text = tail + chunk.toString('latin1');
    tail = tailOf(text);
    if (!request.complete && chunkExtension.test(text)) {
      found();
      return;
    }
    for (const parse of parsers) parse.call(socket, chunk);
    if (request.complete) stop();
  };
  const stop = (): void => {
    socket.removeAllListeners('data');
    // Safe: these were its listeners before.
    for (const parse of parsers) socket.on('data', parse as (chunk: Buffer) => void);
  };
  socket.removeAllListeners('data');
  socket.on('data', watch);
}

/** The response to a rejected request, which is always the last of its connection. */
const responseHeaders = (status: Problem['status'], body: string, requestId: string) => ({
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  [wire.errorCode]: codes[status],
  [wire.requestId]: requestId,
  'Content-Length': Buffer.byteLength(body),
  Connection: 'close',
});

const bodyOf = ({ status, message }: Problem): string =>
  JSON.stringify({ success: false, message, error_code: codes[status], errors: {} });

/** A request that was rejected before the app saw it. */
export interface Rejection {
  requestId: string;
  /** Null when not even that could be read. */
  method: string | null;
  status: number;
  error: string;
  /** What is wrong with it, without anything that it says. */
  reason: string;
}

/** Called for each rejection. */
export type ReportRejection = (rejection: Rejection) => void;

const statusTexts: Record<Problem['status'], string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  505: 'HTTP Version Not Supported',
};

/** Rejects what has no response of Node's, or one that can no longer be used. */
function rejectConnection(socket: Socket, problem: Problem, requestId: string): void {
  if (isClosing(socket)) return;
  if (socket.writable && !pendingResponse(socket)?.headersSent) {
    const body = bodyOf(problem);
    const lines = Object.entries(responseHeaders(problem.status, body, requestId)).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(
      `HTTP/1.1 ${problem.status} ${statusTexts[problem.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
    );
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
 * Puts a gate in front of `serve`: a request that is malformed, or that two servers could read differently, is rejected,
 * and its connection is closed. Reads that are well-formed are remembered, so that their repetitions need no check.
 */
export function installGate(
  server: Server,
  serve: RequestListener,
  matchOperation: MatchOperation,
  reads: Pick<RepeatedReads, 'remember'>,
  report: ReportRejection = () => {},
): void {
  /** Connections with a rejected request: what came in its packet is parsed before they are closed. */
  const rejected = new WeakSet<Socket>();
  const isDone = (socket: Socket): boolean => isClosing(socket) || rejected.has(socket);
  const nextRequestId = createRequestIds(secureRandom);
  /** The bytes whose first lines were found well-formed last: one packet may have many requests. */
  let checked = '';

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
    rejected.add(request.socket);
    const body = bodyOf(problem);
    response.writeHead(problem.status, responseHeaders(problem.status, body, requestId)).end(body);
    request.resume();
  }

  function rejectSocket(socket: Socket, problem: Problem): void {
    const requestId = nextRequestId(null);
    // A request that the app has already is reported by the app.
    if (!isClosing(socket) && !pendingResponse(socket)) reportProblem(problem, requestId, null);
    rejectConnection(socket, problem, requestId);
  }

  function problemOf(request: IncomingMessage, read: MatchedOperation | null): Problem | undefined {
    if (request.httpVersionMajor !== 1) return problems.version;
    const { url = '', socket } = request;
    const found = (read ? undefined : targetProblem(url)) ?? headerProblem(request) ?? bodyProblem(request);
    if (found) return found;
    const bytes = bytesBeingParsed(socket);
    if (bytes !== checked && oddRequestLine.test(bytes)) return problems.requestLine;
    checked = bytes;
    if (request.headers['transfer-encoding'] !== undefined) {
      if (chunkExtension.test(bytes)) return problems.chunkExtension;
      watchChunks(request, bytes, () => rejectSocket(socket, problems.chunkExtension));
    }
    return undefined;
  }

  server.on('request', (request, response) => {
    if (isDone(request.socket)) return void request.resume();
    const read = request.method === 'GET' ? matchOperation('GET', request.url ?? '') : null;
    const problem = problemOf(request, read);
    if (problem) return rejectRequest(request, response, problem);
    if (read) reads.remember(request, read);
    serve(request, response);
  });
  server.on('checkExpectation', (request, response) => {
    if (isDone(request.socket)) return void request.resume();
    rejectRequest(request, response, problemOf(request, null) ?? problems.expectation);
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
