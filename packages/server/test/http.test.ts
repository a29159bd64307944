import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

/** What every answer has of its own. */
const ownHeaders = ['date', 'x-request-id', 'connection', 'keep-alive'];

const comparable = async (answer: Response) => ({
  status: answer.status,
  body: await answer.text(),
  headers: [...answer.headers].filter(([name]) => !ownHeaders.includes(name)),
});

describe('the ready answer to GET /games', () => {
  it.each([
    ['with a key', {}],
    ['without a key', { 'X-API-KEY': '' }],
    ['with a wrong key', { 'X-API-KEY': 'wrong' }],
  ])('is the answer of the app, %s', async (_, headers) => {
    await using server = await startSandbox({ TOPUP_READS_PER_MINUTE: '1000' });
    const get = (path: string) =>
      fetch(server.baseUrl + path, { headers: { 'X-API-KEY': server.sandboxKey ?? '', ...headers } });
    const ready = await comparable(await get('/games'));
    // A query is ignored by the interface, and leads past the ready answer.
    const built = await comparable(await get('/games?page=2'));
    expect({ ...ready, headers: ready.headers.filter(([name]) => name !== 'ratelimit') }).toEqual({
      ...built,
      headers: built.headers.filter(([name]) => name !== 'ratelimit'),
    });
  });

  it('takes two keys for none', async () => {
    await using server = await startSandbox();
    const { port } = new URL(server.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    const key = `X-API-KEY: ${server.sandboxKey}\r\n`;
    socket.end(`GET /api/games HTTP/1.1\r\nHost: localhost\r\n${key}${key}Connection: close\r\n\r\n`);
    const answer = await socket.toArray();
    expect(String(answer[0])).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('the one router', () => {
  it.each([
    ['/health', true],
    ['/pay/nobody/status', true],
    ['/nowhere', true],
    ['/pay/nobody', false],
    ['/docs', false],
  ])('gives %s a request id: %s', async (path, expected) => {
    await using server = await startSandbox();
    const { headers } = await fetch(server.publicUrl + path);
    expect(headers.has('x-request-id')).toBe(expected);
  });

  it('answers as the service does for a button of an order that nobody has', async () => {
    await using server = await startSandbox();
    const answer = await fetch(`${server.publicUrl}/pay/nobody/pay`, { method: 'POST' });
    expect(answer.status).toBe(404);
    expect(answer.headers.has('x-request-id')).toBe(true);
    expect((await answer.json()).error_code).toBe('ROUTE_NOT_FOUND');
  });
});

describe('every address in an answer', () => {
  it('leads somewhere', async () => {
    await using server = await startSandbox();
    const headers = { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' };
    const get = async (path: string) => (await fetch(server.baseUrl + path, { headers })).text();
    const order = await fetch(`${server.baseUrl}/order`, {
      method: 'POST',
      headers,
      body: JSON.stringify(fixtureOrder),
    });
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
      const answer = await fetch(address);
      expect(`${answer.status} ${address}`).toBe(`200 ${address}`);
      expect(answer.headers.get('content-type')).toMatch(/^(image\/svg\+xml|text\/html)/);
      await answer.arrayBuffer();
    }
  });

  it('begins with the public address, whatever Host a request names', async () => {
    await using server = await startSandbox({ TOPUP_PUBLIC_URL: 'https://shop.example/topup/' });
    expect(server.baseUrl).toBe('https://shop.example/topup/api');
    const answer = await fetch(`${server.localUrl}/api/games`, {
      headers: { 'X-API-KEY': server.sandboxKey ?? '', 'X-Forwarded-Host': 'evil.example' },
    });
    const [game] = (await answer.json()).games;
    expect(game.image).toBe('https://shop.example/topup/assets/games/mobile-legends.svg');
  });
});

describe('a server that is closed', () => {
  it('answers the requests under way, and then nothing more', async () => {
    const server = await startSandbox();
    const socket = connect(Number(new URL(server.localUrl).port), '127.0.0.1');
    const body = JSON.stringify(fixtureOrder);
    socket.write(
      `POST /api/order HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${server.sandboxKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    // Answered, so the server has read what came before it.
    await fetch(`${server.localUrl}/health`);
    const closed = server.close();
    socket.write(body.slice(20));
    expect(String((await socket.toArray()).join(''))).toMatch(/^HTTP\/1\.1 201 /);
    await closed;
    await expect(fetch(`${server.localUrl}/health`)).rejects.toThrow();
  });
});
