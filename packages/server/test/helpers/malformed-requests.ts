import { sandboxKey } from '@topup-kit/core/contract';
import { fixtureOrder } from './sandbox.ts';

export const key = `X-API-KEY: ${sandboxKey}\r\n`;
export const host = 'Host: localhost\r\n';
export const json = 'Content-Type: application/json\r\n';
export const order = JSON.stringify(fixtureOrder);
export const chunked = `${order.length.toString(16)}\r\n${order}\r\n0\r\n\r\n`;

export const get = (line: string, headers = host): string => `${line}\r\n${headers}${key}\r\n`;
export const post = (headers: string, body = order, version = 'HTTP/1.1'): string =>
  `POST /api/order ${version}\r\n${host}${key}${headers}\r\n${body}`;
export const sized = (headers: string): string => post(`${headers}Content-Length: ${order.length}\r\n`);

/** What a malformed request gets: one response, and then its connection is closed. */
export const malformed: [what: string, status: number, request: string | string[]][] = [
  // The target.
  ['an absolute-form target', 400, get('GET http://localhost/api/games HTTP/1.1')],
  ['a control route under a foreign host', 400, get('POST http://evil.example/sandbox/reset HTTP/1.1')],
  ['an authority as target', 400, get('GET localhost:80 HTTP/1.1')],
  ['CONNECT', 400, get('CONNECT localhost:80 HTTP/1.1')],
  ['an expectation that nobody knows', 417, get('GET /api/games HTTP/1.1', `${host}Expect: foo\r\n`)],
  ['an asterisk as target', 400, get('OPTIONS * HTTP/1.1')],
  ['a fragment', 400, get('GET /api/games#top HTTP/1.1')],
  ['a dot segment', 400, get('GET /api/./games HTTP/1.1')],
  ['two dots', 400, get('GET /api/../api/games HTTP/1.1')],
  ['dots at the end', 400, get('GET /api/games/.. HTTP/1.1')],
  ['encoded dots', 400, get('GET /x/%2E%2e/api/games HTTP/1.1')],
  ['half-encoded dots before a query', 400, get('GET /api/games/.%2e?x=1 HTTP/1.1')],
  ['a NUL', 400, get('GET /api/invoice/\0 HTTP/1.1')],
  ['a backslash', 400, get('GET /api\\games HTTP/1.1')],
  // The request line.
  ['a tab', 400, get('GET\t/api/games HTTP/1.1')],
  ['a space in the target', 400, get('GET /api/ games HTTP/1.1')],
  ['HTTP/2.0', 505, get('GET /api/games HTTP/2.0')],
  ['HTTP/0.9', 505, get('GET /api/games HTTP/0.9')],
  ['no version', 505, get('GET /api/games')],
  ['HTTP/3.0', 505, get('GET /api/games HTTP/3.0')],
  ['the preface of HTTP/2', 505, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['no HTTP at all', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a line that ends without a carriage return', 400, 'GET /api/games HTTP/1.1\nHost: localhost\n\n'],
  // Host.
  ['no Host', 400, get('GET /api/games HTTP/1.1', '')],
  ['two Hosts', 400, get('GET /api/games HTTP/1.1', `${host}Host: evil.example\r\n`)],
  ['the same Host twice', 400, get('GET /api/games HTTP/1.1', host + host)],
  ['an empty Host', 400, get('GET /api/games HTTP/1.1', 'Host:\r\n')],
  ['a Host with user information', 400, get('GET /api/games HTTP/1.1', 'Host: a@localhost\r\n')],
  ['a Host with a path', 400, get('GET /api/games HTTP/1.1', 'Host: localhost/x\r\n')],
  ['a Host with a space', 400, get('GET /api/games HTTP/1.1', 'Host: local host\r\n')],
  ['a list of Hosts', 400, get('GET /api/games HTTP/1.1', 'Host: localhost, evil.example\r\n')],
  ['a Host with an impossible port', 400, get('GET /api/games HTTP/1.1', 'Host: localhost:99999\r\n')],
  ['a Host with an impossible address', 400, get('GET /api/games HTTP/1.1', 'Host: 1.2.3.999\r\n')],
  ['an impossible Host at a control route', 400, get('GET /sandbox HTTP/1.1', 'Host: 1.2.3.999\r\n')],
  ['an impossible Host of an order', 400, sized(json).replace(host, 'Host: 1.2.3.999\r\n')],
  ['a Host with a zone', 400, get('GET /api/games HTTP/1.1', 'Host: [fe80::1%25eth0]\r\n')],
  ['a Host with half a bracket', 400, get('GET /api/games HTTP/1.1', 'Host: [::1\r\n')],
  // The headers of a body.
  ['a header line that is folded', 400, get('GET /api/games HTTP/1.1', `${host}X-A: 1\r\n 2\r\n`)],
  ['a space before a colon', 400, get('GET /api/games HTTP/1.1', `${host}X-A : 1\r\n`)],
  ['GET with a body', 400, `GET /api/games HTTP/1.1\r\n${host}${key}Content-Length: 2\r\n\r\n{}`],
  [
    'GET with a chunked body',
    400,
    `GET /api/games HTTP/1.1\r\n${host}${key}Transfer-Encoding: chunked\r\n\r\n${chunked}`,
  ],
  ['HEAD with a body', 400, `HEAD /api/games HTTP/1.1\r\n${host}${key}Content-Length: 2\r\n\r\n{}`],
  ['two lengths', 400, post(`${json}Content-Length: ${order.length}\r\nContent-Length: 2\r\n`)],
  ['a signed length', 400, post(`${json}Content-Length: +${order.length}\r\n`)],
  ['a length and chunks', 400, post(`${json}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`, chunked)],
  ['Transfer-Encoding: gzip, chunked', 400, post(`${json}Transfer-Encoding: gzip, chunked\r\n`, chunked)],
  ['Transfer-Encoding: ,chunked', 400, post(`${json}Transfer-Encoding: ,chunked\r\n`, chunked)],
  [
    'Transfer-Encoding twice',
    400,
    post(`${json}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n`, chunked),
  ],
  ['Transfer-Encoding: identity', 400, post(`${json}Transfer-Encoding: identity\r\n`, chunked)],
  ['Transfer-Encoding in HTTP/1.0', 400, post(`${json}Transfer-Encoding: chunked\r\n`, chunked, 'HTTP/1.0')],
  [
    'a chunk size that is no number',
    400,
    post(`${json}Transfer-Encoding: chunked\r\n`, 'x\r\n{}\r\n0\r\n\r\n'),
  ],
  ['two Idempotency-Keys', 400, sized(`${json}Idempotency-Key: a\r\nIdempotency-Key: b\r\n`)],
  ['two content types', 400, sized(`${json}Content-Type: text/plain\r\n`)],
  ['Content-Encoding: gzip', 415, sized(`${json}Content-Encoding: gzip\r\n`)],
  ['charset=utf-16', 415, sized('Content-Type: application/json; charset=utf-16\r\n')],
  ['charset="ISO-8859-1"', 415, sized('Content-Type: application/json;charset="ISO-8859-1"\r\n')],
];
