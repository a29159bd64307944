import { connect } from 'node:net';
import { join } from 'node:path';
import { sandboxKey } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { postOrder } from './helpers/orders.ts';
import { fixtureOrder, startSandbox, temporaryFolder } from './helpers/sandbox.ts';

/** Headers that differ in every response. */
const ownHeaders = ['date', 'x-request-id', 'connection', 'keep-alive', 'ratelimit'];

const comparable = async (response: Response) => ({
  status: response.status,
  body: await response.text(),
  headers: [...response.headers].filter(([name]) => !ownHeaders.includes(name)),
});

describe('the response of an operation', () => {
  const limits = { TOPUP_READS_PER_MINUTE: '1000', TOPUP_ORDERS_PER_MINUTE: '1000' };

  // The interface ignores a query.
  it.each<[string, RequestInit]>([
    ['/games', {}],
    ['/games', { headers: { 'Accept-Encoding': 'br' } }],
    ['/games', { headers: { 'If-None-Match': '*' } }],
    ['/games', { headers: { 'X-API-KEY': '' } }],
    ['/games', { headers: { 'X-API-KEY': 'wrong', 'Accept-Language': 'en' } }],
    ['/games/mobile-legends', {}],
    ['/games/nothing', { headers: { 'Accept-Language': 'en' } }],
    ['/order/mobile-legends', {}],
    ['/invoice/{order}', {}],
    ['/invoice/{order}/payment-status', {}],
    ['/invoice/INV-1/payment-status', {}],
    ['/order', { method: 'POST', body: '{}', headers: { 'Idempotency-Key': 'one' } }],
    ['/order', { method: 'POST', body: '{', headers: { 'Accept-Language': 'en' } }],
    ['/order', { method: 'POST', body: 'x'.repeat(100_000) }],
    ['/order', { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } }],
    ['/promo/validate', { method: 'POST', body: JSON.stringify({ code: 'RAMADAN10' }) }],
  ])('sends the same response for a query: %s %j', async (path, init) => {
    await using server = await startSandbox(limits);
    const headers = { 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json', ...init.headers };
    const order = await postOrder(server.baseUrl);
    const url = server.baseUrl + path.replace('{order}', (await order.json()).orderId);
    const direct = await comparable(await fetch(url, { ...init, headers }));
    expect(direct).toEqual(await comparable(await fetch(`${url}?page=2`, { ...init, headers })));
  });

  it.each([
    ['/games/mobile%2Dlegends', 200],
    ['/games/mobile-legends/', 404],
    ['/games//', 404],
  ])('responds to %s with %i', async (path, status) => {
    await using server = await startSandbox();
    const headers = { 'X-API-KEY': server.sandboxKey ?? '' };
    expect((await fetch(server.baseUrl + path, { headers })).status).toBe(status);
  });

  it('sends no body in response to HEAD', async () => {
    await using server = await startSandbox();
    const headers = { 'X-API-KEY': server.sandboxKey ?? '' };
    const head = await fetch(`${server.baseUrl}/games`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    // It would be that of no body.
    expect(head.headers.has('content-length')).toBe(false);
  });

  it('rejects a request with two keys', async () => {
    await using server = await startSandbox();
    const { port } = new URL(server.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    const key = `X-API-KEY: ${server.sandboxKey}\r\n`;
    socket.end(`GET /api/games HTTP/1.1\r\nHost: localhost\r\n${key}${key}Connection: close\r\n\r\n`);
    const response = await socket.toArray();
    expect(String(response[0])).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('the router', () => {
  it.each([
    '/health',
    '/pay/nobody/status',
    '/nowhere',
    '/pay/nobody',
    '/docs',
    '/',
    '/livez',
    '/assets/games/nothing.svg',
  ])('gives %s a request id', async (path) => {
    await using server = await startSandbox();
    const { headers, body } = await fetch(server.publicUrl + path);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    // Else the server, when it stops, waits for its reader.
    await body?.cancel();
  });

  it("responds with the service's 404 to the button of an unknown order", async () => {
    await using server = await startSandbox();
    const response = await fetch(`${server.publicUrl}/pay/nobody/pay`, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(response.headers.has('x-request-id')).toBe(true);
    expect((await response.json()).error_code).toBe('ROUTE_NOT_FOUND');
  });
});

describe('every URL in a response', () => {
  it('serves every URL in its responses', async () => {
    await using server = await startSandbox();
    const headers = { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' };
    const get = async (path: string) => (await fetch(server.baseUrl + path, { headers })).text();
    const order = await postOrder(server.baseUrl);
    const created = await order.text();
    const texts = [
      await get('/games'),
      await get('/order/mobile-legends'),
      await get('/order/genshin-impact'),
      created,
      await get(`/invoice/${JSON.parse(created).orderId}`),
    ];
    const addresses = new Set(texts.join('\n').match(/http:\/\/127[^"]+/g));
    expect(addresses.size).toBeGreaterThan(80);
    for (const address of addresses) {
      const response = await fetch(address);
      expect(`${response.status} ${address}`).toBe(`200 ${address}`);
      expect(response.headers.get('content-type')).toMatch(/^(image\/svg\+xml|text\/html)/);
      await response.arrayBuffer();
    }
  });

  it('starts every URL with the public URL, whatever Host a request has', async () => {
    const key = 'a-key-that-is-long-enough';
    await using server = await startSandbox({
      TOPUP_PUBLIC_URL: 'https://shop.example/topup/',
      TOPUP_API_KEY: key,
    });
    expect(server.baseUrl).toBe('https://shop.example/topup/api');
    const response = await fetch(`${server.localUrl}/api/games`, {
      headers: { 'X-API-KEY': key, 'X-Forwarded-Host': 'evil.example' },
    });
    const [game] = (await response.json()).games;
    expect(game.image).toBe('https://shop.example/topup/assets/games/mobile-legends.svg');
  });
});

it('limits payment pages and buttons by address, even for unknown payments', async () => {
  await using server = await startSandbox({ TOPUP_READS_PER_MINUTE: '2' });
  const statuses = [];
  for (const path of ['/pay/nobody', '/pay/nobody/pay', '/pay/nobody'])
    statuses.push(
      (await fetch(server.publicUrl + path, { method: path.endsWith('/pay') ? 'POST' : 'GET' })).status,
    );
  expect(statuses).toEqual([404, 404, 429]);
});

describe('closing a server', () => {
  it.each(['memory:', 'file:'])(
    'completes requests in progress when it closes, and accepts no more, with the store %s',
    async (kind) => {
      await using folder = await temporaryFolder();
      const store = kind === 'file:' ? `file:${join(folder.path, 'topup.db')}` : kind;
      const server = await startSandbox({ TOPUP_STORE: store });
      const socket = connect(Number(new URL(server.localUrl).port), '127.0.0.1');
      const body = JSON.stringify(fixtureOrder);
      socket.write(
        `POST /api/order HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${server.sandboxKey}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
      );
      // This request has a response, so the server has read what was sent before it.
      await fetch(`${server.localUrl}/health`);
      const closed = server.close();
      socket.write(body.slice(20));
      expect(String((await socket.toArray()).join(''))).toMatch(/^HTTP\/1\.1 201 /);
      await closed;
      await expect(fetch(`${server.localUrl}/health`)).rejects.toThrow();
    },
  );
});
