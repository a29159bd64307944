import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import { headers as wire } from '@topup-kit/core/contract';
import type { ReportRejection } from '../observability/rejected-requests.ts';
import type { ClientAddresses } from './client.ts';
import { endRequests, hasEnded, inTurn, maxWaiting, waitingRequests } from './connections.ts';
import type { Writer } from './exchange.ts';
import { createRejections, type Problem, parserProblem, problems } from './rejections.ts';

const hostName = /^[a-z0-9._-]+$/i;
const lastLabelIsNumber = /(^|\.)(\d+|0x[\da-f]*)\.?$/i;

function isValidHost(host: string): boolean {
  const [, bracketed, name = '', port = '0'] = /^(?:\[(.*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(host) ?? [];
  if (Number(port) > 65_535) return false;
  if (bracketed !== undefined) return isIPv6(bracketed) && !bracketed.includes('%');
  return hostName.test(name) && (isIPv4(name) || !lastLabelIsNumber.test(name));
}

/** Last valid host; most requests to a server have the same host. */
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

/** Headers that are ambiguous if repeated; Node keeps only the first value of most of them. The app rejects a repeated `X-API-KEY`. */
const single = new Set(['content-type', 'content-encoding', wire.idempotencyKey.toLowerCase()]);

/** Lengths of these names, which exclude most other names without a comparison. */
const singleLengths = new Set([...single].map(({ length }) => length));

function headerProblem({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): Problem | undefined {
  let hosts = 0;
  let names: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4) hosts += name.toLowerCase() === 'host' ? 1 : 0;
    else if (singleLengths.has(name.length)) {
      const lower = name.toLowerCase();
      if (!single.has(lower)) continue;
      if (names?.includes(lower)) return problems.repeated;
      names = [...(names ?? []), lower];
    }
  }
  // HTTP/1.0 doesn't require a Host header.
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

/** Finds the problem of a request that Node's parser accepted but that two servers could read differently. */
export function problemOf(request: IncomingMessage): Problem | undefined {
  if (request.httpVersionMajor !== 1) return problems.version;
  return targetProblem(request.url ?? '') ?? headerProblem(request) ?? bodyProblem(request);
}

/**
 * Installs a guard in front of a server. It rejects malformed and ambiguous requests, and closes their connections.
 *
 * Node's parser accepts chunk extensions without showing them, so a request with a chunked body is the last request of
 * its connection. Wherever another server thinks it ends, later data is never read as a request.
 */
export function installGuard(
  server: Server,
  {
    held,
    write,
    report = () => {},
    isFromProxy = () => false,
  }: {
    /** The current handler of requests. */
    held: { readonly serve: RequestListener };
    write: Writer['write'];
    report?: ReportRejection;
    isFromProxy?: ClientAddresses['isFromProxy'];
  },
): void {
  const reject = createRejections(server, { write, report, isFromProxy });

  server.on('request', (request, response) => {
    const { socket } = request;
    if (hasEnded(socket)) return void request.resume();
    if (waitingRequests(socket) === maxWaiting) return reject.crowd(request);
    const problem = problemOf(request);
    if (problem) return reject.request(request, response, problem);
    if (request.headers['transfer-encoding'] !== undefined) {
      endRequests(socket);
      response.setHeader('Connection', 'close');
    }
    inTurn(socket, response, () => held.serve(request, response));
  });
  server.on('checkExpectation', (request, response) => {
    if (hasEnded(request.socket)) return void request.resume();
    reject.request(request, response, problemOf(request) ?? problems.expectation);
  });
  server.on('connect', (_request, socket: Socket) => reject.socket(socket, problems.target));
  server.on('clientError', (error, socket) => {
    // Safe: the server listens on TCP only.
    const connection = socket as Socket;
    if ('code' in error && error.code === 'ECONNRESET') connection.destroy();
    else reject.socket(connection, parserProblem(error));
  });
}
