import { EventEmitter } from 'node:events';
import { Agent, type RequestOptions, request as send } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { interfaceOnlyDialect, sandboxKey } from '@topup-kit/core/contract';
import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createShedding } from '../src/edge/load-shedding.ts';
import { startLogged } from './helpers/log.ts';
import { fixtureOrder } from './helpers/sandbox.ts';

interface Reply {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

/**
 * Stops the server's clock and the turn of the event loop that it believes to be in: it begins with the first request, and lasts
 * until `nextTurn`. Time passes only by `wait`.
 */
function stopTime() {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  return {
    wait: (ms: number) => {
      now += ms;
    },
    nextTurn: () => vi.runOnlyPendingTimers(),
    // Before the server closes, which takes time.
    [Symbol.dispose]() {
      vi.useRealTimers();
      vi.restoreAllMocks();
    },
  };
}

/** Sends a request over one connection, and reads its response. */
async function ask(
  baseUrl: string,
  path: string,
  {
    agent,
    headers = {},
    method = 'GET',
    body,
  }: RequestOptions & { headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const sent = send(new URL(path, baseUrl), { method, headers, ...(agent && { agent }) }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        // Safe: no list is among these headers.
        headers: response.headers as Record<string, string | undefined>,
        body: text,
      }),
    );
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** Sends as many requests as are accepted in any case; a 404 shows that each was handled. */
async function askCrowd(baseUrl: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < 50; count += 1) statuses.push((await ask(baseUrl, '/nothing')).status);
  return statuses;
}

/** Time after which nothing but probes and callbacks is accepted any more, and after which only probes are, in milliseconds. */
const tooLong = 501;
const tooLongForCallbacks = 200;

describe('a server with more requests than it can handle', () => {
  it("rejects excess requests immediately with the API's error, and tells the client when to retry", async () => {
    const { server, lines } = await startLogged();
    await using _ = server;
    using time = stopTime();
    const crowd = await askCrowd(server.baseUrl);
    expect(new Set(crowd)).toEqual(new Set([404]));
    time.wait(tooLong);
    const inEnglish = await ask(server.baseUrl, '/nothing', { headers: { 'Accept-Language': 'en' } });
    const inIndonesian = await ask(server.baseUrl, '/nothing');
    expect(JSON.parse(inEnglish.body)).toEqual({
      success: false,
      message: 'The service is unavailable right now.',
      error_code: 'UNAVAILABLE',
      errors: {},
    });
    expect(inIndonesian.body).toContain('Layanan sedang tidak tersedia.');
    for (const { status, headers } of [inEnglish, inIndonesian]) {
      expect(status).toBe(503);
      expect(headers).toMatchObject({
        'x-error-code': 'UNAVAILABLE',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(16);
    }
    // One line, however many were rejected, and none for each.
    expect(lines().filter(({ msg }) => String(msg).includes('overloaded'))).toHaveLength(1);
    expect(lines('request').filter(({ status }) => status === 503)).toEqual([]);
    const { body: metrics } = await ask(server.baseUrl, '/metrics');
    expect(metrics).toContain('topup_http_request_duration_seconds_count{operation="shed",status="503"} 2\n');
  });

  it('accepts requests again in the next turn', async () => {
    const { server } = await startLogged();
    await using _ = server;
    using time = stopTime();
    await askCrowd(server.baseUrl);
    time.wait(tooLong);
    expect((await ask(server.baseUrl, '/nothing')).status).toBe(503);
    time.nextTurn();
    expect((await ask(server.baseUrl, '/nothing')).status).toBe(404);
  });

  it("serves operators' requests, and accepts callbacks longer than other requests", async () => {
    const { server } = await startLogged();
    await using _ = server;
    using time = stopTime();
    const statusesOf = async (...paths: string[]): Promise<number[]> => {
      const statuses: number[] = [];
      for (const path of paths) statuses.push((await ask(server.baseUrl, path)).status);
      return statuses;
    };
    const callbacks = ['/callback/tripay', '/digiflazz/webhook'];
    await askCrowd(server.baseUrl);
    time.wait(tooLong);
    // Nobody sends callbacks to this server.
    expect(await statusesOf('/nothing', ...callbacks)).toEqual([503, 404, 404]);
    time.wait(tooLongForCallbacks);
    expect(await statusesOf(...callbacks, '/livez', '/readyz', '/health', '/metrics')).toEqual([
      503, 503, 200, 200, 200, 200,
    ]);
  });

  it('shows a page to a customer, in the customer’s language', async () => {
    const { server } = await startLogged();
    await using _ = server;
    using time = stopTime();
    await askCrowd(server.baseUrl);
    time.wait(tooLong);
    const page = (accept: string): Promise<Reply> =>
      ask(server.baseUrl, '/pay/somebody', { headers: { Accept: accept, 'Accept-Language': 'id' } });
    const shown = await page('text/html,*/*;q=0.8');
    expect(shown.status).toBe(503);
    expect(shown.body).toContain('Pesanan Anda tidak hilang');
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
    expect(shown.headers['retry-after']).toMatch(/^\d+$/);
    expect(JSON.parse((await page('*/*')).body)).toMatchObject({ error_code: 'UNAVAILABLE' });
  });

  it('uses the dialect only within the interface', async () => {
    const dialect = { ...interfaceOnlyDialect, language: 'fixed' as const };
    const { server } = await startLogged({}, { dialect });
    await using _ = server;
    using time = stopTime();
    const headers = { 'Accept-Language': 'en' };
    await askCrowd(server.baseUrl);
    time.wait(tooLong);
    const inside = await ask(server.baseUrl, '/api/games', { headers });
    const outside = await ask(server.baseUrl, '/sandbox', { headers });
    expect(JSON.parse(inside.body)).toEqual({ message: 'Layanan sedang tidak tersedia.' });
    for (const name of ['retry-after', 'x-error-code', 'content-language', 'vary'])
      expect([name, inside.headers[name]]).toEqual([name, undefined]);
    expect(JSON.parse(outside.body)).toMatchObject({
      message: 'The service is unavailable right now.',
      error_code: 'UNAVAILABLE',
    });
    expect(outside.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('lets a page of an allowed origin read the error, and no other page', async () => {
    const { server } = await startLogged({ TOPUP_CORS_ORIGINS: 'https://shop.example' });
    await using _ = server;
    using time = stopTime();
    await askCrowd(server.baseUrl);
    time.wait(tooLong);
    const from = (Origin: string, path = '/api/games'): Promise<Reply> =>
      ask(server.baseUrl, path, { headers: { Origin } });
    const rejected = [
      await from('https://shop.example'),
      await from('https://evil.example'),
      await from('https://shop.example', '/sandbox'),
    ];
    expect(rejected.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(rejected.map(({ headers }) => headers['access-control-allow-origin'])).toEqual([
      'https://shop.example',
      undefined,
      undefined,
    ]);
    const [read] = rejected;
    expect(read?.headers['access-control-expose-headers']).toContain('Retry-After');
    expect(read?.headers.vary).toBe('Accept-Language, Origin');
  });

  it('closes the connection of a body that is too long to read', async () => {
    const { server } = await startLogged();
    await using _ = server;
    using time = stopTime();
    await askCrowd(server.baseUrl);
    time.wait(tooLong);
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const connectionAfter = async (length: number): Promise<string | undefined> => {
      const body = 'x'.repeat(length);
      const headers = { 'X-API-KEY': sandboxKey, 'Content-Length': String(length) };
      return (await ask(server.baseUrl, '/api/order', { agent, method: 'POST', headers, body })).headers
        .connection;
    };
    expect(await connectionAfter(16 * 1024)).toBe('keep-alive');
    expect(await connectionAfter(16 * 1024 + 1)).toBe('close');
  });

  it('does nothing for a rejected order, so that the SDK resends the order', async () => {
    const { server } = await startLogged();
    await using _ = server;
    using time = stopTime();
    await askCrowd(server.baseUrl);
    time.wait(tooLong);
    const statuses: number[] = [];
    const client = createTopupClient({
      baseUrl: server.baseUrl,
      apiKey: sandboxKey,
      fetch: async (request) => {
        const { status, headers, body } = await fetch(request);
        statuses.push(status);
        time.nextTurn();
        // So that the test need not wait for as long as the server says.
        return new Response(body, {
          status,
          headers: { ...Object.fromEntries(headers), 'Retry-After': '0' },
        });
      },
    });
    const { data, attempts } = await client.orders
      .create({ ...fixtureOrder, promo_code: undefined })
      .withResponse();
    expect(statuses).toEqual([503, 201]);
    expect(attempts).toBe(2);
    expect(data.orderId).toMatch(/^INV-/);
    const { body: metrics } = await ask(server.baseUrl, '/metrics');
    expect(metrics).toContain('topup_orders{payment_status="UNPAID",buy_status="Pending"} 1\n');
  });
});

/** Numbers from 0 to 1, evenly spread. */
function createRandom(): () => number {
  let state = 0;
  return () => {
    state = (state + 0.618_033_988_75) % 1;
    return state;
  };
}

/** A server in a test that decides how long a request takes, and when a turn of the event loop ends. */
function shedding(handlingMs: number) {
  let now = 1_000_000;
  const connections = new EventEmitter();
  const shed = createShedding({
    connections,
    busyResponse: () => ({ status: 503, headers: { 'Retry-After': '0' }, body: '' }),
    report: () => {},
    clock: () => now,
    random: createRandom(),
  });
  return {
    connections,
    now: () => now,
    wait: (ms: number) => {
      now += ms;
    },
    /** Sends a request. Returns null when it was accepted, and else when it may come again, in seconds. */
    send(): number | null {
      const busy = shed({ url: '/api/games', headers: {} });
      if (!busy) now += handlingMs;
      return busy && Number(busy.headers['Retry-After']);
    },
    endTurn: () => setImmediate(),
    /** Sends so many requests in one turn. Returns how many were accepted, and when the others may come again. */
    async turn(requests: number): Promise<{ accepted: number; retryAfter: number[] }> {
      const all = Array.from({ length: requests }, () => this.send());
      await this.endTurn();
      const retryAfter = all.filter((seconds) => seconds !== null);
      return { accepted: requests - retryAfter.length, retryAfter };
    },
  };
}

describe('rejected clients', () => {
  it('spreads retries of rejected clients evenly over 16 seconds', async () => {
    const { accepted, retryAfter } = await shedding(1).turn(500 + 1_600);
    expect(accepted).toBe(500);
    const counts = new Map<number, number>();
    for (const seconds of retryAfter) counts.set(seconds, (counts.get(seconds) ?? 0) + 1);
    expect([...counts.keys()].toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 16 }, (_, index) => index + 1),
    );
    for (const count of counts.values()) expect(count).toBeGreaterThan(90);
    for (const count of counts.values()) expect(count).toBeLessThan(110);
  });

  it.each([
    [1_000, 2_500],
    [1_000, 4_000],
    [4_000, 4_000],
  ])(
    'keeps nine tenths of %i requests a second if %i clients send five times as many',
    async (capacity, clients) => {
      const server = shedding(1_000 / capacity);
      const begin = server.now();
      const thinkMs = (clients / (5 * capacity)) * 1_000;
      const random = createRandom();
      /** How much of the work for a request it takes to reject it. */
      const rejection = 0.3;
      let arrivals = Array.from({ length: clients }, (_, index) => begin + (index / clients) * 2_000);
      let good = 0;
      while (server.now() < begin + 24_000) {
        server.wait(Math.max(0, Math.min(...arrivals) - server.now()));
        const began = server.now();
        const came = arrivals.filter((at) => at <= began).length;
        arrivals = arrivals.filter((at) => at > began);
        const told = Array.from({ length: came }, () => {
          const seconds = server.send();
          if (seconds !== null) server.wait((1_000 / capacity) * rejection);
          else if (server.now() > begin + 4_000) good += 1;
          return seconds;
        });
        for (const seconds of told)
          arrivals.push(server.now() + Math.max(thinkMs, (seconds ?? 0) * 1_000) * (1 + random() / 4));
        await server.endTurn();
      }
      expect(good / 20 / capacity).toBeGreaterThan(0.9);
    },
  );
});

describe('while clients wait to be connected', () => {
  it('keeps turns short while clients wait to connect, because each turn connects only some of them', async () => {
    const server = shedding(10);
    const accepted: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      for (let client = 0; client < 32; client += 1) server.connections.emit('connection');
      accepted.push((await server.turn(60)).accepted);
    }
    // The first turn is as usual, and takes longer than 100 ms.
    expect(accepted).toEqual([50, ...Array.from({ length: 9 }, () => 10)]);
    await server.turn(0);
    expect((await server.turn(60)).accepted).toBe(50);
  });

  it('keeps normal turns when a few clients connect, or many clients occasionally', async () => {
    const server = shedding(10);
    for (let turn = 0; turn < 10; turn += 1) {
      for (let client = 0; client < 31; client += 1) server.connections.emit('connection');
      expect((await server.turn(60)).accepted).toBe(50);
    }
    for (let turn = 0; turn < 10; turn += 1) {
      for (let client = 0; client < 100; client += 1) server.connections.emit('connection');
      expect((await server.turn(60)).accepted).toBe(50);
      await server.turn(0);
    }
  });
});
