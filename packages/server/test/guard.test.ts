import { connect } from 'node:net';
import { sandboxKey } from '@topup-kit/core/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { sendRaw } from './helpers/raw.ts';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

let server: RunningServer;

beforeAll(async () => {
  server = await startSandbox({ TOPUP_LOG_LEVEL: 'silent' });
});
afterAll(() => server.close());

const key = `X-API-KEY: ${sandboxKey}\r\n`;
const host = 'Host: localhost\r\n';
const json = 'Content-Type: application/json\r\n';
const order = JSON.stringify(fixtureOrder);
const chunked = `${order.length.toString(16)}\r\n${order}\r\n0\r\n\r\n`;

const get = (line: string, headers = host): string => `${line}\r\n${headers}${key}\r\n`;
const post = (headers: string, body = order, version = 'HTTP/1.1'): string =>
  `POST /api/order ${version}\r\n${host}${key}${headers}\r\n${body}`;
const sized = (headers: string): string => post(`${headers}Content-Length: ${order.length}\r\n`);

/** What a malformed request gets: one response, and then its connection is closed. */
const malformed: [what: string, status: number, request: string | string[]][] = [
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

describe('a malformed request is rejected, and its connection closed:', () => {
  it.concurrent.each(malformed)('%s', async (_, status, request) => {
    const next = get('GET /api/games HTTP/1.1');
    const pieces = typeof request === 'string' ? [request, next] : [...request, next];
    const { text, statuses, end } = await sendRaw(server.localUrl, pieces);
    expect({ statuses, end, text }).toMatchObject({ statuses: [`HTTP/1.1 ${status}`], end: 'closed' });
    expect(text.slice(text.lastIndexOf(`HTTP/1.1 ${status}`))).toMatch(/^connection: close\r$/im);
    expect(text.slice(text.lastIndexOf(`HTTP/1.1 ${status}`))).toMatch(/^x-request-id: req_\w+\r$/im);
  });

  it('with the general error body, which says what is wrong', async () => {
    const { text } = await sendRaw(server.localUrl, get('GET /api/games#top HTTP/1.1'));
    expect(text).toMatch(/^X-Error-Code: BAD_REQUEST\r$/m);
    expect(text).toMatch(/^X-Content-Type-Options: nosniff\r$/m);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
      success: false,
      message: 'The target of the request must not have a fragment (#).',
      error_code: 'BAD_REQUEST',
      errors: {},
    });
  });

  it('and changes nothing', async () => {
    const headers = { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' };
    const made = await fetch(`${server.baseUrl}/order`, { method: 'POST', headers, body: order });
    const { orderId } = await made.json();
    await sendRaw(server.localUrl, get('POST http://evil.example/sandbox/reset HTTP/1.1'));
    expect((await fetch(`${server.baseUrl}/invoice/${orderId}`, { headers })).status).toBe(200);
  });
});

it('a client that goes on sending after a malformed request is cut off', async () => {
  const { hostname, port } = new URL(server.localUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {}).resume();
  socket.write('GET\t/api/games HTTP/1.1\r\n\r\n');
  const sending = setInterval(() => socket.write('x'), 50);
  onTestFinished(() => {
    clearInterval(sending);
    socket.destroy();
  });
  await expect.poll(() => socket.destroyed, { timeout: 4_000 }).toBe(true);
});

it('nothing is done of what follows a malformed request in its packet', async () => {
  const placed = async (): Promise<unknown> => {
    const text = await (await fetch(`${server.publicUrl}/metrics`)).text();
    return text.match(/^topup_orders.*/gm);
  };
  const before = await placed();
  const request = get('GET /api/games HTTP/1.1', host + host) + sized(json);
  const { statuses } = await sendRaw(server.localUrl, request);
  expect(statuses).toEqual(['HTTP/1.1 400']);
  expect(await placed()).toEqual(before);
});

/** More requests than may wait for their turn, so that a connection on which each of them counts is cut. */
const many = get('GET /health HTTP/1.1').repeat(40);

it.each([
  ['a malformed request', get('GET /api/games HTTP/1.1', host + host), 400],
  ['a request with a chunked body', post(`${json}Transfer-Encoding: chunked\r\n`, chunked), 201],
])('requests behind %s do not count, so it has its response', async (_, last, status) => {
  const { statuses, end } = await sendRaw(server.localUrl, get('GET /api/games HTTP/1.1') + last + many);
  expect({ statuses, end }).toEqual({ statuses: ['HTTP/1.1 200', `HTTP/1.1 ${status}`], end: 'closed' });
});

const wellFormed: [what: string, status: number, request: string | string[]][] = [
  ['HTTP/1.0 without Host', 200, 'GET /health HTTP/1.0\r\n\r\n'],
  ['an empty line before it', 200, `\r\n${get('GET /health HTTP/1.1')}`],
  ['headers without a space after the colon', 200, get('GET /health HTTP/1.1', 'Host:localhost\r\n')],
  ['a Host in capitals with a port', 200, get('GET /health HTTP/1.1', 'HOST: LocalHost:80\r\n')],
  ['the Host of a container', 200, get('GET /health HTTP/1.1', 'Host: topup_server:4000\r\n')],
  ['an IPv6 Host', 200, get('GET /health HTTP/1.1', 'Host: [::1]:4000\r\n')],
  ['a head in two pieces', 200, ['GET /hea', `lth HTTP/1.1\r\nHost: local`, 'host\r\n\r\n']],
  ['dots that are no segment', 404, get('GET /assets/games/..a.svg?x=/../y HTTP/1.1')],
  ['GET with Content-Length: 0', 200, get('GET /health HTTP/1.1', `${host}Content-Length: 0\r\n`)],
  ['a chunked body', 201, post(`${json}Transfer-Encoding: chunked\r\n`, chunked)],
  [
    'a chunked body in pieces',
    201,
    [post(`${json}Transfer-Encoding: Chunked\r\n`, ''), chunked.slice(0, 40), chunked.slice(40)],
  ],
  ['charset=UTF-8', 201, sized('Content-Type: application/json; charset=UTF-8\r\n')],
  ['Content-Encoding: identity', 201, sized(`${json}Content-Encoding: identity\r\n`)],
];

it.concurrent.each(wellFormed)('well-formed, and responded to: %s', async (_, status, request) => {
  const { statuses } = await sendRaw(server.localUrl, request, { waitMs: 300 });
  expect(statuses).toEqual([`HTTP/1.1 ${status}`]);
});

/** What Node's parser accepts and doesn't show (docs/threat-model.md). None of it changes where a request ends, but the last. */
const unseen: [what: string, request: string | string[]][] = [
  ['two spaces before the target', get('GET  /health HTTP/1.1')],
  ['two spaces after the target', get('GET /health  HTTP/1.1')],
  ['RTSP/1.0', get('GET /health RTSP/1.0')],
  ['RTSP/1.1', get('GET /health RTSP/1.1')],
  [
    'spaces before the value of a header',
    get('GET /health HTTP/1.1', `${host}X-A:${' '.repeat(20_000)}a\r\n`),
  ],
];

it.concurrent.each(unseen)('is handled as if it had been written correctly: %s', async (_, request) => {
  const { statuses } = await sendRaw(server.localUrl, request, { waitMs: 300 });
  expect(statuses).toEqual(['HTTP/1.1 200']);
});

describe('a request with a chunked body is the last of its connection', () => {
  const head = post(`${json}Transfer-Encoding: chunked\r\n`, '');
  const placed = async (): Promise<number> => {
    const text = await (await fetch(`${server.publicUrl}/metrics`)).text();
    return Number(/^topup_orders\{payment_status="UNPAID".* (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  it.each([
    ['in its packet', [head + chunked + sized(json)]],
    ['in a packet of its own', [head + chunked, sized(json)]],
    ['with the end of the body', [head + chunked.slice(0, -3), chunked.slice(-3) + sized(json)]],
    ['after a chunk extension', [head + chunked.replace('\r\n', ';a=b\r\n') + sized(json)]],
    [
      'after an extension of the last chunk',
      [head + chunked.replace('\r\n0\r\n', '\r\n0;a\r\n') + sized(json)],
    ],
    [
      'after a chunk extension that comes in two packets',
      [`${head}${chunked.slice(0, 2)};a="`, `b"${chunked.slice(2)}`, sized(json)],
    ],
    [
      'after an extension behind many zeros',
      [head + '0'.repeat(70) + chunked.replace('\r\n', ';a\r\n') + sized(json)],
    ],
    ['after a trailer', [`${head}${chunked.slice(0, -2)}X-A: b\r\n\r\n${sized(json)}`]],
  ])('an order %s is not placed', async (_, pieces) => {
    const before = await placed();
    const { text, statuses, end } = await sendRaw(server.localUrl, pieces);
    expect({ statuses, end }).toEqual({ statuses: ['HTTP/1.1 201'], end: 'closed' });
    expect(text).toMatch(/^connection: close\r$/im);
    expect(await placed()).toBe(before + 1);
  });
});

it('two requests in one packet get two responses', async () => {
  const { statuses } = await sendRaw(
    server.localUrl,
    get('GET /api/games HTTP/1.1') + get('GET /health HTTP/1.1'),
    {
      waitMs: 300,
    },
  );
  expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
});
