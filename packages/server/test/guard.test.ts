import { connect } from 'node:net';
import { sandboxKey } from '@topup-kit/core/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { chunked, get, host, json, malformed, order, post, sized } from './helpers/malformed-requests.ts';
import { sendRaw } from './helpers/raw.ts';
import { startSandbox } from './helpers/sandbox.ts';

let server: RunningServer;

beforeAll(async () => {
  server = await startSandbox({ TOPUP_LOG_LEVEL: 'silent' });
});
afterAll(() => server.close());

describe('a malformed request is rejected, and its connection is closed:', () => {
  it.concurrent.each(malformed)('rejects a malformed request: %s', async (_, status, request) => {
    const next = get('GET /api/games HTTP/1.1');
    const pieces = typeof request === 'string' ? [request, next] : [...request, next];
    const { text, statuses, end } = await sendRaw(server.localUrl, pieces);
    expect({ statuses, end, text }).toMatchObject({ statuses: [`HTTP/1.1 ${status}`], end: 'closed' });
    expect(text.slice(text.lastIndexOf(`HTTP/1.1 ${status}`))).toMatch(/^connection: close\r$/im);
    expect(text.slice(text.lastIndexOf(`HTTP/1.1 ${status}`))).toMatch(/^x-request-id: req_\w+\r$/im);
  });

  it('sends the general error body, which describes the problem', async () => {
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

  it('changes no order after a malformed request', async () => {
    const headers = { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' };
    const made = await fetch(`${server.baseUrl}/order`, { method: 'POST', headers, body: order });
    const { orderId } = await made.json();
    await sendRaw(server.localUrl, get('POST http://evil.example/sandbox/reset HTTP/1.1'));
    expect((await fetch(`${server.baseUrl}/invoice/${orderId}`, { headers })).status).toBe(200);
  });
});

it('cuts off a client that keeps sending after a malformed request', async () => {
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

it('ignores data after a malformed request in the same packet', async () => {
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
])('ignores requests after %s, but responds to the first request', async (_, last, status) => {
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

it.concurrent.each(wellFormed)('responds to a well-formed request: %s', async (_, status, request) => {
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

it.concurrent.each(unseen)(
  'handles an unusual request like a well-formed request: %s',
  async (_, request) => {
    const { statuses } = await sendRaw(server.localUrl, request, { waitMs: 300 });
    expect(statuses).toEqual(['HTTP/1.1 200']);
  },
);

describe('a request with a chunked body is the last of its connection', () => {
  const head = post(`${json}Transfer-Encoding: chunked\r\n`, '');
  const placed = async (): Promise<number> => {
    const text = await (await fetch(`${server.publicUrl}/metrics`)).text();
    return Number(/^topup_orders\{payment_status="UNPAID".* (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  it.each([
    ['in its packet', [head + chunked + sized(json)]],
    ['in a separate packet', [head + chunked, sized(json)]],
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
      'after an extension after many zeros',
      [head + '0'.repeat(70) + chunked.replace('\r\n', ';a\r\n') + sized(json)],
    ],
    ['after a trailer', [`${head}${chunked.slice(0, -2)}X-A: b\r\n\r\n${sized(json)}`]],
  ])('places no order %s', async (_, pieces) => {
    const before = await placed();
    const { text, statuses, end } = await sendRaw(server.localUrl, pieces);
    expect({ statuses, end }).toEqual({ statuses: ['HTTP/1.1 201'], end: 'closed' });
    expect(text).toMatch(/^connection: close\r$/im);
    expect(await placed()).toBe(before + 1);
  });
});

it('responds to two requests in one packet', async () => {
  const { statuses } = await sendRaw(
    server.localUrl,
    get('GET /api/games HTTP/1.1') + get('GET /health HTTP/1.1'),
    {
      waitMs: 300,
    },
  );
  expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
});
