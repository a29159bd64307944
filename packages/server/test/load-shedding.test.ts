import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { interfaceOnly } from '@topup-kit/core/contract';
import { sandboxKey } from '@topup-kit/core/engine';
import { createTopupClient } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createShedding } from '../src/edge/load-shedding.ts';
import { startLogged } from './helpers/log.ts';
import { fixtureOrder } from './helpers/sandbox.ts';
import { rawRequest } from './soak/load/load.ts';

interface Reply {
  status: number;
  headers: string;
  body: string;
}

function parseReplies(text: string): Reply[] {
  const replies: Reply[] = [];
  for (let rest = text; rest !== ''; ) {
    const [headers = '', after = ''] = [
      rest.slice(0, rest.indexOf('\r\n\r\n')),
      rest.slice(rest.indexOf('\r\n\r\n') + 4),
    ];
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1]);
    replies.push({ status: Number(headers.slice(9, 12)), headers, body: after.slice(0, length) });
    rest = after.slice(length);
  }
  return replies;
}

/**
 * Sends requests at once over one connection, so that the server finds all of them in one turn. Each time it reads
 * its clock, `stepMs` have passed: it does so twice for a request that it handles, and once for another.
 */
async function sendTogether(baseUrl: string, requests: readonly string[], stepMs = 5): Promise<Reply[]> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1').setEncoding('latin1');
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += stepMs));
  const last = rawRequest('GET', '/livez', { headers: { Connection: 'close' } });
  socket.write([...requests, last].join(''));
  const text = (await socket.toArray()).join('');
  vi.restoreAllMocks();
  return parseReplies(text).slice(0, -1);
}

/** A request that costs the test little; its 404 shows that it was handled. */
const nothing = (headers: Record<string, string> = {}): string => rawRequest('GET', '/nothing', { headers });

/** As many requests as are accepted in any case, in a turn that is then too long. */
const crowd = Array.from({ length: 50 }, () => nothing());

/** Takes so many further requests, by their time, that callbacks are rejected as well. */
const further = Array.from({ length: 60 }, () => nothing());

const headerOf = ({ headers }: Reply, name: string): string | undefined =>
  new RegExp(`^${name}: (.*?)\r?$`, 'im').exec(headers)?.[1];

afterEach(() => vi.restoreAllMocks());

describe('a server with more requests than it can handle', () => {
  it('rejects the rest at once, with the error of the API, and says when to come again', async () => {
    const { server, lines } = await startLogged();
    await using _ = server;
    const replies = await sendTogether(server.baseUrl, [
      ...crowd,
      nothing({ 'Accept-Language': 'en' }),
      nothing(),
    ]);
    expect(replies.slice(0, 50).map(({ status }) => status)).toEqual(crowd.map(() => 404));
    const [first, second] = replies.slice(50);
    expect(JSON.parse(first?.body ?? '')).toEqual({
      success: false,
      message: 'The service is unavailable right now.',
      error_code: 'UNAVAILABLE',
      errors: {},
    });
    expect(second?.body).toContain('Layanan sedang tidak tersedia.');
    for (const reply of [first, second]) {
      if (!reply) throw new Error('a response is missing');
      expect(reply.status).toBe(503);
      expect(headerOf(reply, 'x-error-code')).toBe('UNAVAILABLE');
      expect(headerOf(reply, 'cache-control')).toBe('no-store');
      expect(headerOf(reply, 'x-content-type-options')).toBe('nosniff');
      expect(headerOf(reply, 'connection')).toBe('keep-alive');
    }
    for (const reply of [first, second]) expect(reply && headerOf(reply, 'retry-after')).toBe('1');
    // One line, however many were rejected, and none for each.
    expect(lines().filter(({ msg }) => String(msg).includes('overloaded'))).toHaveLength(1);
    expect(lines('request').filter(({ status }) => status === 503)).toEqual([]);
    const metrics = await (await fetch(new URL('/metrics', server.baseUrl))).text();
    expect(metrics).toContain('topup_http_request_duration_seconds_count{operation="shed",status="503"} 2\n');
  });

  it('accepts all of the next turn that it can handle', async () => {
    const { server } = await startLogged();
    await using _ = server;
    await sendTogether(server.baseUrl, [...crowd, ...further]);
    const replies = await sendTogether(server.baseUrl, crowd);
    expect(replies.map(({ status }) => status)).toEqual(crowd.map(() => 404));
  });

  it('responds to what operators ask, and to callbacks for longer than to others', async () => {
    const { server } = await startLogged();
    await using _ = server;
    const probes = ['/livez', '/readyz', '/health', '/metrics'].map((path) => rawRequest('GET', path));
    const callbacks = ['/callback/tripay', '/digiflazz/webhook'].map((path) => rawRequest('GET', path));
    const requests = [...crowd, nothing(), ...callbacks, ...further, ...callbacks, ...probes];
    const replies = await sendTogether(server.baseUrl, requests);
    const statuses = replies.map(({ status }) => status);
    // Nobody sends callbacks to this server.
    expect(statuses.slice(50, 53)).toEqual([503, 404, 404]);
    expect(statuses.slice(-6)).toEqual([503, 503, 200, 200, 200, 200]);
  });

  it('shows a page to a customer, in the customer’s language', async () => {
    const { server } = await startLogged();
    await using _ = server;
    const page = (accept: string): string =>
      rawRequest('GET', '/pay/somebody', { headers: { Accept: accept, 'Accept-Language': 'id' } });
    const replies = await sendTogether(server.baseUrl, [...crowd, page('text/html,*/*;q=0.8'), page('*/*')]);
    const [shown, read] = replies.slice(50);
    expect(shown?.status).toBe(503);
    expect(shown?.body).toContain('Pesanan Anda tidak hilang');
    expect(shown && headerOf(shown, 'content-security-policy')).toContain("default-src 'none'");
    expect(shown && headerOf(shown, 'retry-after')).toBe('1');
    expect(JSON.parse(read?.body ?? '')).toMatchObject({ error_code: 'UNAVAILABLE' });
  });

  it('keeps to the dialect of its interface, and only there', async () => {
    const dialect = { ...interfaceOnly, language: 'fixed' as const };
    const { server } = await startLogged({}, { dialect });
    await using _ = server;
    const english = { 'Accept-Language': 'en' };
    const replies = await sendTogether(server.baseUrl, [
      ...crowd,
      rawRequest('GET', '/api/games', { headers: english }),
      rawRequest('GET', '/sandbox', { headers: english }),
    ]);
    const [inside, outside] = replies.slice(50);
    expect(JSON.parse(inside?.body ?? '')).toEqual({ message: 'Layanan sedang tidak tersedia.' });
    for (const name of ['retry-after', 'x-error-code', 'content-language', 'vary'])
      expect([name, inside && headerOf(inside, name)]).toEqual([name, undefined]);
    expect(JSON.parse(outside?.body ?? '')).toMatchObject({
      message: 'The service is unavailable right now.',
      error_code: 'UNAVAILABLE',
    });
    expect(outside && headerOf(outside, 'retry-after')).toMatch(/^\d+$/);
  });

  it('lets a page of an allowed origin read the error, and no other', async () => {
    const { server } = await startLogged({ TOPUP_CORS_ORIGINS: 'https://shop.example' });
    await using _ = server;
    const from = (Origin: string, path = '/api/games') => rawRequest('GET', path, { headers: { Origin } });
    const replies = await sendTogether(server.baseUrl, [
      ...crowd,
      from('https://shop.example'),
      from('https://evil.example'),
      from('https://shop.example', '/sandbox'),
    ]);
    const rejected = replies.slice(50);
    expect(rejected.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(rejected.map((reply) => headerOf(reply, 'access-control-allow-origin'))).toEqual([
      'https://shop.example',
      undefined,
      undefined,
    ]);
    const [read] = rejected;
    expect(read && headerOf(read, 'access-control-expose-headers')).toContain('Retry-After');
    expect(read && headerOf(read, 'vary')).toBe('Accept-Language, Origin');
  });

  it('closes the connection of a body that is too long to be read for nothing', async () => {
    const { server } = await startLogged();
    await using _ = server;
    const post = (length: number): string =>
      rawRequest('POST', '/api/order', { body: 'x'.repeat(length), headers: { 'X-API-KEY': sandboxKey } });
    const short = await sendTogether(server.baseUrl, [...crowd, post(16 * 1024), nothing()]);
    expect(short.slice(50).map((reply) => headerOf(reply, 'connection'))).toEqual([
      'keep-alive',
      'keep-alive',
    ]);
    const socket = await sendTogether(server.baseUrl, [...crowd, post(16 * 1024 + 1)]);
    expect(socket).toHaveLength(50);
  });

  it('has done nothing about an order that it rejected, so that the SDK sends it again', async () => {
    const { server } = await startLogged();
    await using _ = server;
    const statuses: number[] = [];
    const client = createTopupClient({
      baseUrl: server.baseUrl,
      apiKey: sandboxKey,
      fetch: async (request) => {
        if (statuses.length > 0) {
          const response = await fetch(request);
          statuses.push(response.status);
          return response;
        }
        const { method, headers } = request as Request;
        expect(method).toBe('POST');
        const behind = rawRequest('POST', '/api/order', {
          headers: { 'X-API-KEY': sandboxKey, 'Idempotency-Key': headers.get('Idempotency-Key') ?? '' },
          body: await (request as Request).text(),
        });
        const [reply] = (await sendTogether(server.baseUrl, [...crowd, behind])).slice(50);
        statuses.push(reply?.status ?? 0);
        const retryAfter = (reply && headerOf(reply, 'retry-after')) ?? '';
        return new Response(reply?.body ?? '', {
          status: reply?.status ?? 500,
          headers: { 'Retry-After': retryAfter },
        });
      },
    });
    const { data, attempts } = await client.orders
      .create({ ...fixtureOrder, promo_code: undefined })
      .withResponse();
    expect(statuses).toEqual([503, 201]);
    expect(attempts).toBe(2);
    const metrics = await (await fetch(new URL('/metrics', server.baseUrl))).text();
    expect(data.orderId).toMatch(/^INV-/);
    expect(metrics).toContain('topup_orders{payment_status="UNPAID",buy_status="Pending"} 1\n');
  });
});

/** A server in a test that decides how long a request takes, and when a turn of the event loop ends. */
function shedding(handlingMs: number) {
  let now = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const connections = new EventEmitter();
  const shed = createShedding(
    connections,
    () => ({ status: 503, headers: { 'Retry-After': '0' }, body: '' }),
    () => {},
  );
  return {
    connections,
    wait: (ms: number) => {
      now += ms;
    },
    /** Sends so many requests in one turn. Returns how many were accepted, and when the others may come again. */
    async turn(requests: number): Promise<{ accepted: number; retryAfter: number[] }> {
      const retryAfter: number[] = [];
      for (let index = 0; index < requests; index += 1) {
        const busy = shed({ url: '/api/games', headers: {} });
        if (busy) retryAfter.push(Number(busy.headers['Retry-After']));
        else now += handlingMs;
      }
      await setImmediate();
      return { accepted: requests - retryAfter.length, retryAfter };
    },
  };
}

const countsOf = (values: number[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

describe('rejected clients', () => {
  it('come again in the first second that is not booked up by as many as can be accepted', async () => {
    const server = shedding(1);
    const { accepted, retryAfter } = await server.turn(500 + 3_700);
    expect(accepted).toBe(500);
    expect(countsOf(retryAfter)).toEqual({ 1: 1_000, 2: 1_000, 3: 1_000, 4: 700 });
  });

  it('have a sixteenth of the places when others fill the rest, and are spread over 16 s when all are taken', async () => {
    const server = shedding(1);
    await server.turn(500 + 1_000);
    server.wait(900);
    const { retryAfter } = await server.turn(500 + 140);
    // 1,500 came in the second before, and 1,000 are to come in this one. A sixteenth of 1,000 is 62.5.
    expect(countsOf(retryAfter)).toEqual({ 1: 63, 2: 63, 3: 14 });
    const rest = await server.turn(500 + 32_000);
    expect(Math.max(...rest.retryAfter)).toBe(16);
    const counts = Object.values(countsOf(rest.retryAfter));
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(400);
  });

  it('are as many as before when the server does what it can', async () => {
    const server = shedding(1);
    for (let second = 0; second < 20; second += 1) {
      const { retryAfter } = await server.turn(500 + 100);
      expect(countsOf(retryAfter)).toEqual({ 1: 100 });
      server.wait(500);
    }
  });
});

describe('while clients wait to be connected', () => {
  it('turns are short, because each connects only some of them', async () => {
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

  it('turns are as usual when some connect in each, or many now and then', async () => {
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
