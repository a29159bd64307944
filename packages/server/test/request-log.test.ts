import { connect } from 'node:net';
import { join } from 'node:path';
import { sandboxKey } from '@topup-kit/core/contract';
import { createKeyText, issueKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callbackGateway, callbackSupplier } from '../../core/test/helpers/providers.ts';
import { createSqliteStore, sha256Hex } from '../src/internal.ts';
import { createLogger } from '../src/observability/logger.ts';
import { createMetrics } from '../src/observability/metrics.ts';
import { createShedLog } from '../src/observability/rejected-requests.ts';
import { startLogged } from './helpers/log.ts';
import { sendRaw } from './helpers/raw.ts';
import { fixtureOrder, temporaryFolder } from './helpers/sandbox.ts';

const level = { debug: 20, info: 30, warn: 40, error: 50 };

const keyed = (id: string, headers: Record<string, string> = {}): RequestInit => ({
  headers: { 'X-API-KEY': sandboxKey, 'X-Request-Id': id, ...headers },
});

const order = (id: string, body: object = fixtureOrder): RequestInit => ({
  ...keyed(id, { 'Content-Type': 'application/json' }),
  method: 'POST',
  body: JSON.stringify(body),
});

describe('the line of a request', () => {
  it("logs a request's operation, caller, order and result", async () => {
    const log = await startLogged();
    await using server = log.server;
    const placed = await fetch(`${server.baseUrl}/order`, order('placed'));
    expect(placed.headers.get('x-request-id')).toBe('placed');
    const { orderId } = await placed.json();
    const { time, ms, ...rest } = await log.request('placed');
    expect(rest).toEqual({
      level: level.info,
      requestId: 'placed',
      method: 'POST',
      operation: 'createOrder',
      account: 'sandbox',
      key: 'sandbox',
      order: orderId,
      status: 201,
      msg: 'request',
    });
    expect(Number(ms)).toBeGreaterThan(0);
    expect(Date.parse(String(time))).toBeGreaterThan(0);
    await fetch(`${server.baseUrl}/invoice/${orderId}/payment-status`, keyed('polled'));
    expect(await log.request('polled')).toMatchObject({
      level: level.debug,
      operation: 'getPaymentStatus',
      order: orderId,
      status: 200,
    });
  });

  it.each([
    ['/api/games', 'listGames', 200, undefined, 'debug'],
    ['/api/games/no-such-game', 'getGame', 404, 'GAME_NOT_FOUND', 'info'],
    ['/api/invoice/INV-1', 'getInvoice', 404, 'INVOICE_NOT_FOUND', 'info'],
    ['/api/no/such/path', 'unknown', 404, 'ROUTE_NOT_FOUND', 'info'],
    ['/nowhere', 'unknown', 404, 'ROUTE_NOT_FOUND', 'info'],
    ['/health', '/health', 200, undefined, 'debug'],
    ['/livez', '/livez', 200, undefined, 'debug'],
    ['/pay/somebody', '/pay/:reference', 404, undefined, 'info'],
    ['/pay/somebody/status', '/pay/:reference/status', 404, 'ROUTE_NOT_FOUND', 'info'],
  ] as const)('logs %s as %s instead of the path', async (path, operation, status, error, at) => {
    const log = await startLogged();
    await using server = log.server;
    await fetch(server.publicUrl + path, keyed('asked'));
    const line = await log.request('asked');
    expect([line.operation, line.status, line.error, line.level]).toEqual([
      operation,
      status,
      error,
      level[at],
    ]);
    expect(JSON.stringify(line)).not.toMatch(/no-such|INV-1|nowhere|somebody/);
  });

  it('logs no account for a rejected key', async () => {
    const log = await startLogged();
    await using server = log.server;
    for (const [id, path] of [
      ['list', '/games'],
      ['game', '/games/mobile-legends'],
    ] as const) {
      await fetch(server.baseUrl + path, keyed(id, { 'X-API-KEY': 'wrong' }));
      const line = await log.request(id);
      expect(line).toMatchObject({ level: level.info, status: 401, error: 'UNAUTHORIZED' });
      expect(line).not.toHaveProperty('account');
    }
  });

  it.each(['expired', 'revoked'] as const)(
    'logs the id of a key that is %s, but hides it from the client',
    async (keyState) => {
      await using folder = await temporaryFolder();
      const path = join(folder.path, 'topup.db');
      const log = await startLogged({ TOPUP_STORE: `file:${path}` });
      await using server = log.server;
      const store = createSqliteStore({ path });
      await using closing = new AsyncDisposableStack();
      closing.defer(() => store.close());
      const { key, stored } = await issueKey(
        { store, hash: sha256Hex, random: secureRandom, realClock: Date.now },
        {
          mode: 'test',
          accountId: 'shop',
          name: 'shop',
          scopes: ['catalog:read'],
          expiresAt: keyState === 'expired' ? 1 : null,
        },
      );
      if (keyState === 'revoked') await store.revokeKey(stored.keyId, Date.now());
      for (const [name, asked] of [
        ['list', '/games'],
        ['game', '/games/mobile-legends'],
        ['none', '/no/such/path'],
      ] as const) {
        const ask = async (id: string, sent: string) => {
          const response = await fetch(server.baseUrl + asked, keyed(id, { 'X-API-KEY': sent }));
          const { date: _date, 'x-request-id': _id, ...headers } = Object.fromEntries(response.headers);
          return { status: response.status, headers, text: await response.text() };
        };
        const rejected = await ask(`known-${name}`, key);
        // Of the same form: a sandbox gives any test key that it doesn't know a hint.
        const other = createKeyText('test', secureRandom);
        expect(rejected).toEqual(await ask(`unknown-${name}`, other));
        expect(rejected.status).toBe(401);
        expect(await log.request(`known-${name}`)).toMatchObject({
          level: level.info,
          status: 401,
          error: 'UNAUTHORIZED',
          key: stored.keyId,
          keyState,
        });
        const unknown = await log.request(`unknown-${name}`);
        expect(unknown).not.toHaveProperty('key');
        expect(unknown).not.toHaveProperty('keyState');
      }
    },
  );

  it('logs the id and the reason of an order that failed at the gateway', async () => {
    const { gateway } = callbackGateway({
      createPayment: async () => {
        throw new Error('the gateway is on fire');
      },
    });
    const log = await startLogged({}, { gateway, supplier: callbackSupplier().supplier });
    await using server = log.server;
    const response = await fetch(`${server.baseUrl}/order`, order('failed'));
    const line = await log.request('failed');
    expect(line).toMatchObject({
      level: level.error,
      status: response.status,
      error: 'PAYMENT_FAILED',
      order: expect.stringMatching(/^INV-\d{14}-[A-Z]{8}$/),
      err: { message: 'the gateway is on fire' },
    });
    expect(line.err).not.toHaveProperty('stack');
    expect(log.lines('a provider was called')).toMatchObject([
      { provider: 'paygate', call: 'createPayment', order: line.order, outcome: 'error' },
      { provider: 'paygate', call: 'findPayment', order: line.order, outcome: 'ok' },
    ]);
  });

  it('logs why a malformed request was rejected', async () => {
    const log = await startLogged();
    await using server = log.server;
    const { port } = new URL(server.localUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
    const text = String(Buffer.concat(await socket.toArray()));
    const [, requestId] = /^X-Request-Id: (req_\w+)\r$/m.exec(text) ?? [];
    expect(log.lines('request')).toMatchObject([
      {
        ...{ level: level.info, requestId, method: 'GET', operation: 'malformed' },
        ...{ status: 400, error: 'BAD_REQUEST', ms: 0 },
        reason: 'The request must have one valid Host header.',
      },
    ]);
  });

  it.each([
    ['a path with a dot segment', 'GET /./x HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n', 'mine'],
    ['a request that is not HTTP', 'nonsense\r\n\r\n', /^req_/],
  ])('logs %s with the id of its response', async (_name, bytes, id) => {
    const log = await startLogged();
    await using server = log.server;
    const { text } = await sendRaw(server.localUrl, bytes);
    const [, requestId] = /^X-Request-Id: (.+)\r$/m.exec(text) ?? [];
    expect(requestId).toMatch(id);
    expect(log.lines('request')).toMatchObject([{ requestId, operation: 'malformed' }]);
  });

  it("doesn't log a cut upload as an internal error", async () => {
    for (const [how, sent] of [
      ['destroy', 'Content-Length: 5000\r\n\r\n{"id":'],
      ['end', 'Content-Length: 5000\r\n\r\n{"id":'],
      ['destroy', 'Transfer-Encoding: chunked\r\n\r\n6\r\n{"id":\r\n'],
      ['end', 'Transfer-Encoding: chunked\r\n\r\n6\r\n{"id":\r\n'],
    ] as const) {
      const log = await startLogged();
      await using server = log.server;
      const { port } = new URL(server.localUrl);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        `POST /api/order HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${sandboxKey}\r\nX-Request-Id: broken\r\n${sent}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      socket[how]();
      const line = await log.request('broken');
      expect(line).toMatchObject({
        level: level.info,
        status: null,
        operation: 'createOrder',
        msg: 'the client aborted the request',
      });
      expect(log.lines().filter(({ operation }) => operation !== undefined)).toHaveLength(1);
      expect(log.texts.join('')).not.toMatch(/stack|"err"|SERVER_ERROR/);
    }
  });
});

describe('the id of a request', () => {
  it.each(['a', 'f47ac10b-58cc-4372-a567-0e02b2c3d479', 'web:1.2_3', 'x'.repeat(64)])(
    "uses the client's request id: %s",
    async (id) => {
      await using server = (await startLogged()).server;
      for (const path of ['/games', '/games/mobile-legends', '/nowhere'])
        expect((await fetch(server.baseUrl + path, keyed(id))).headers.get('x-request-id')).toBe(id);
    },
  );

  it.each(['', 'x'.repeat(65), 'a b', '"quoted"', 'a,b', '<script>', sandboxKey])(
    "creates a request id if the client's request id is not acceptable: %j",
    async (id) => {
      await using server = (await startLogged()).server;
      for (const path of ['/games', '/games/mobile-legends'])
        expect((await fetch(server.baseUrl + path, keyed(id))).headers.get('x-request-id')).toMatch(
          /^req_[0-9a-z]{8}_[0-9a-z]+$/,
        );
    },
  );
});

it('logs no requests in a sandbox by default', async () => {
  const log = await startLogged({ TOPUP_LOG_LEVEL: '' });
  await using server = log.server;
  await fetch(`${server.baseUrl}/order`, order('placed'));
  await fetch(`${server.baseUrl}/games`, keyed('list'));
  expect(log.texts).toEqual([]);
});

it("logs an overload's start, its rejected requests every ten seconds, and its end", async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: { msg: string; shed?: number }[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = await createLogger({ level: 'warn', format: 'json', secrets: [], stream });
  const shed = createShedLog(logger, createMetrics().countRequest);
  for (const rejected of [2, 3, 0, 0, 1]) {
    for (let count = 0; count < rejected; count += 1) shed();
    vi.advanceTimersByTime(10_000);
  }
  const begins = ['the server is overloaded, and rejects requests that it cannot handle in time', undefined];
  const rejects = 'the server has rejected requests, because it is overloaded';
  expect(lines.map(({ msg, shed: count }) => [msg, count])).toEqual([
    begins,
    [rejects, 2],
    [rejects, 3],
    ['the server is no longer overloaded', undefined],
    begins,
    [rejects, 1],
  ]);
});

it('logs a line for each payment and delivery', async () => {
  const log = await startLogged();
  await using server = log.server;
  const placed = await (await fetch(`${server.baseUrl}/order`, order('placed'))).json();
  const { orderId } = placed;
  const act = (action: string) =>
    fetch(`${server.publicUrl}/sandbox/orders/${orderId}/${action}`, { method: 'POST' });
  await act('pay');
  await fetch(`${server.publicUrl}/sandbox/advance`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ by: '1h' }),
  });
  await act('pay-again');
  expect(log.lines('a payment event was applied')).toMatchObject([
    { level: level.info, order: orderId, payment: 'paid', amount: 40_000, outcome: 'applied' },
    { level: level.info, order: orderId, payment: 'paid', amount: 40_000, outcome: 'reconciliation' },
  ]);
  const delivered = log.lines('a delivery has an outcome');
  expect(delivered.map(({ order: of, unit, attempt, outcome }) => [of, unit, attempt, outcome])).toEqual([
    [orderId, 1, 1, 'delivered'],
    [orderId, 2, 1, 'delivered'],
  ]);
  expect(log.texts.join('')).not.toContain('SN-');
  // It is the only secret of the payment page.
  expect(log.texts.join('')).not.toContain(placed.data.payment_reference);
});
