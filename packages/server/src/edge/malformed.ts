import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { headers as wire } from '@topup-kit/core/contract';

/** Why a request is rejected before the app sees it. */
export interface Problem {
  status: 400 | 408 | 413 | 415 | 417 | 431 | 505;
  message: string;
}

export const malformed = (message: string): Problem => ({ status: 400, message });

export const problems = {
  version: { status: 505, message: 'The server speaks HTTP/1.1 and HTTP/1.0.' },
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
  let names: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4) hosts += name.toLowerCase() === 'host' ? 1 : 0;
    else if (isSingleLength(name.length)) {
      const lower = name.toLowerCase();
      if (!single.has(lower)) continue;
      if (names?.includes(lower)) return problems.repeated;
      names = [...(names ?? []), lower];
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

/** What is wrong with a request that Node's parser has accepted: two servers could read it differently. */
export function problemOf(request: IncomingMessage): Problem | undefined {
  if (request.httpVersionMajor !== 1) return problems.version;
  return targetProblem(request.url ?? '') ?? headerProblem(request) ?? bodyProblem(request);
}
