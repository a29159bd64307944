import { connect } from 'node:net';
import { join } from 'node:path';
import { defaultLimits } from '@topup-kit/core/app';
import { sandboxKey } from '@topup-kit/core/contract';
import { createWorldClock } from '@topup-kit/core/engine';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createMemoryStore } from '@topup-kit/core/store';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { callbackGateway, callbackSupplier, signed } from '../../core/test/helpers/providers.ts';
import { addressList, matcherOf } from '../src/config/address-list.ts';
import { createAddressCheck, logCallback, receiveCallbacks } from '../src/features/callbacks/feature.ts';
import { openStore, readConfig, type ServerOverrides } from '../src/index.ts';
import { createEventLog } from '../src/observability/events.ts';
import { createMetrics } from '../src/observability/metrics.ts';
import { createService } from '../src/service/service.ts';
import { startLogged } from './helpers/log.ts';
import { placeOrder } from './helpers/orders.ts';
import { fixtureOrder, startSandbox, temporaryFolder } from './helpers/sandbox.ts';

const parts = (): ServerOverrides => ({
  gateway: callbackGateway().gateway,
  supplier: callbackSupplier().supplier,
});

/** A sandbox over a file, whose gateway and supplier send callbacks, and a look into its store. */
async function start(environment: Record<string, string> = {}, realClock?: ServerOverrides['realClock']) {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await temporaryFolder());
  const path = join(folder.path, 'topup.db');
  const server = resources.use(
    await startSandbox(
      { TOPUP_STORE: `file:${path}`, TOPUP_LOG_LEVEL: 'silent', ...environment },
      { ...parts(), ...(realClock && { realClock }) },
    ),
  );
  const store = openStore({ kind: 'file', path });
  resources.defer(() => store.close());
  const owned = resources.move();
  return {
    server,
    store,
    async place(): Promise<string> {
      return (await placeOrder(server, { promo_code: undefined })).order_id;
    },
    post: (path: string, { headers, body }: ReturnType<typeof signed>) =>
      // Safe: these bytes are not a view of shared memory.
      fetch(server.publicUrl + path, { method: 'POST', headers, body: body as Uint8Array<ArrayBuffer> }),
    /** All callbacks, when so many are stored: those that prove nothing within a second. */
    async callbacks(count: number) {
      const list = () => store.listCallbacks({ limit: 100 });
      await expect.poll(async () => (await list()).length, { timeout: 3_000 }).toBe(count);
      return list();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const paidNews = (orderId: string): string =>
  JSON.stringify({
    reference: `R-${orderId}`,
    orderId,
    report: { status: 'paid', amount: 44_000, at: Date.now() },
    confirm: false,
  });

describe('POST /callback/{gateway}', () => {
  hurryWaits();

  it('records a payment from a callback without a key, at the root of the server', async () => {
    await using service = await start();
    const orderId = await service.place();
    const response = await service.post('/callback/paygate', signed(paidNews(orderId)));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ seen: 'applied' });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    expect((await service.store.findOrder(orderId))?.paymentStatus).toBe('PAID');
    expect(await service.callbacks(1)).toMatchObject([
      { address: '127.0.0.1', provider: 'paygate', orderId },
    ]);
    const below = await service.post('/api/callback/paygate', signed(paidNews(orderId)));
    expect(below.status).toBe(401);
  });

  it('verifies and stores the exact bytes, even if they are not text', async () => {
    await using service = await start();
    const body = new Uint8Array([0x7b, 0xff, 0xfe, 0x00, 0x0d, 0x0a, 0xc3, 0x28]);
    const response = await service.post('/callback/paygate', signed(body));
    // The signature is right, so it is only not readable.
    expect(response.status).toBe(400);
    const [kept] = await service.callbacks(1);
    expect([...(kept?.body ?? [])]).toEqual([...body]);
    const spaced = signed(JSON.stringify({ a: 1 }, null, 2));
    const { headers } = signed(JSON.stringify({ a: 1 }));
    expect((await service.post('/callback/paygate', { ...spaced, headers })).status).toBe(401);
  });

  it('rejects an oversized body with 413 before reading all of it', async () => {
    await using service = await start({ TOPUP_MAX_BODY_BYTES: '2048' });
    const exact = await service.post('/callback/paygate', signed('x'.repeat(2048)));
    expect(exact.status).toBe(400);
    const long = signed('x'.repeat(2049));
    const response = await service.post('/callback/paygate', long);
    expect(response.status).toBe(413);
    expect((await response.json()).error_code).toBe('PAYLOAD_TOO_LARGE');
    const stream = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 3; part += 1) controller.enqueue(new Uint8Array(1024));
        controller.close();
      },
    });
    const chunked = await fetch(`${service.server.publicUrl}/callback/paygate`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit); // Safe: this is an option of undici.
    expect(chunked.status).toBe(413);
    await service.callbacks(1);
  });

  it.each(['GET', 'PUT', 'OPTIONS', 'DELETE'])(
    'rejects a callback with the method %s with 405',
    async (method) => {
      await using service = await start();
      for (const path of ['/callback/paygate', '/depot/webhook']) {
        const response = await fetch(service.server.publicUrl + path, { method });
        expect(response.status).toBe(405);
        expect(response.headers.get('allow')).toBe('POST');
      }
      expect(await service.store.listCallbacks({ limit: 100 })).toEqual([]);
    },
  );

  it.each(['/callback/nobody', '/callback/depot', '/paygate/webhook', '/nobody/webhook', '/callback'])(
    "doesn't have the route %s",
    async (path) => {
      await using service = await start();
      expect((await service.post(path, signed('ping'))).status).toBe(404);
      expect(await service.store.listCallbacks({ limit: 100 })).toEqual([]);
    },
  );

  it('has no callback route if the gateway sends none', async () => {
    await using server = await startSandbox();
    const response = await fetch(`${server.publicUrl}/callback/simulated`, { method: 'POST' });
    expect(response.status).toBe(404);
  });

  it('keeps the callback route next to an interface at the root', async () => {
    await using service = await start({ TOPUP_BASE_PATH: '/' });
    const orderId = await service.place();
    expect((await service.post('/callback/paygate', signed(paidNews(orderId)))).status).toBe(200);
    expect((await service.post('/depot/webhook', signed('ping'))).status).toBe(200);
    const headers = { 'X-API-KEY': service.server.sandboxKey ?? '' };
    const game = await fetch(`${service.server.baseUrl}/games/webhook`, { headers });
    expect(game.headers.get('x-error-code')).toBe('GAME_NOT_FOUND');
  });

  it('stores no callback whose connection breaks, so the provider sends it again', async () => {
    await using service = await start();
    const { port } = new URL(service.server.publicUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST /callback/paygate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"half":');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await service.store.listCallbacks({ limit: 100 })).toEqual([]);
  });
});

describe('POST /{supplier}/webhook', () => {
  it('delivers a unit when a callback arrives', async () => {
    await using service = await start();
    const orderId = await service.place();
    await service.post('/callback/paygate', signed(paidNews(orderId)));
    const asked = async () =>
      (await service.store.findUnits(orderId)).every(({ state }) => state === 'asked');
    await expect.poll(asked).toBe(true);
    const event = { reference: `${orderId}-1-1`, supplierId: null };
    const body = JSON.stringify({ ...event, result: { state: 'delivered', serialNumber: 'SN-1' } });
    expect((await service.post('/depot/webhook', signed(body))).status).toBe(200);
    expect((await service.store.findUnits(orderId))[0]).toMatchObject({
      state: 'delivered',
      serialNumber: 'SN-1',
    });
  });
});

describe('a replay that an operator asks for', () => {
  it('replays a callback in the running server within a second', async () => {
    await using service = await start();
    await service.post('/callback/paygate', signed('ping'));
    const [{ callbackId } = { callbackId: '' }] = await service.callbacks(1);
    await service.store.requestReplay(callbackId);
    const attempts = async () => (await service.store.findCallback(callbackId))?.attempts;
    await expect.poll(attempts, { timeout: 1_000 }).toBe(2);
  });
});

describe('TOPUP_CALLBACK_ADDRESSES', () => {
  it('rejects callbacks from other addresses with 403, and stores only the address', async () => {
    await using service = await start({ TOPUP_CALLBACK_ADDRESSES: '95.111.200.230, 103.208.23.0/24' });
    const orderId = await service.place();
    const response = await service.post('/callback/paygate', signed(paidNews(orderId)));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ success: false, error_code: 'FORBIDDEN' });
    expect(await service.callbacks(1)).toMatchObject([
      { outcome: 'rejected', address: '127.0.0.1', headers: {}, body: new Uint8Array() },
    ]);
    expect((await service.store.findOrder(orderId))?.paymentStatus).toBe('UNPAID');
  });

  it("accepts callbacks from the provider's addresses", async () => {
    await using service = await start({ TOPUP_CALLBACK_ADDRESSES: '10.0.0.1,127.0.0.0/8' });
    expect((await service.post('/callback/paygate', signed('ping'))).status).toBe(200);
  });

  it.each(['tripay.co.id', '1.2.3', '1.2.3.4/33', '::1/129', '1.2.3.4,', '1.2.3.4/-1', '1.2.3.4 5.6.7.8'])(
    'rejects the addresses %j at the start, in one line',
    (addresses) => {
      expect(() => readConfig({ TOPUP_CALLBACK_ADDRESSES: addresses })).toThrow(
        `TOPUP_CALLBACK_ADDRESSES takes IP addresses and CIDR ranges separated by commas, such as 95.111.200.230,103.208.23.0/24, not ${JSON.stringify(addresses)}.`,
      );
    },
  );
});

describe('unverified callbacks', () => {
  const forged = () => ({ ...signed('{}'), headers: { 'x-test-signature': 'wrong' } });

  it("limits unverified callbacks by address with 429, but not the provider's callbacks from the same address", async () => {
    await using service = await start();
    const statuses: number[] = [];
    for (let count = 0; count < 40; count += 1)
      statuses.push((await service.post('/callback/paygate', forged())).status);
    expect(statuses).toEqual([...Array(30).fill(401), ...Array(10).fill(429)]);
    const limited = await service.post('/callback/paygate', forged());
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.headers.get('x-error-code')).toBe('RATE_LIMITED');
    const orderId = await service.place();
    expect((await service.post('/callback/paygate', signed(paidNews(orderId)))).status).toBe(200);
    expect((await service.store.findOrder(orderId))?.paymentStatus).toBe('PAID');
  });

  it('limits unverified callbacks by the address that a trusted proxy names', async () => {
    await using service = await start({ TOPUP_TRUSTED_PROXIES: '127.0.0.1', TOPUP_API_KEY: 'k'.repeat(24) });
    const from = async (address: string) => {
      const { headers, body } = forged();
      return (
        await service.post('/callback/paygate', { headers: { ...headers, 'x-forwarded-for': address }, body })
      ).status;
    };
    for (let count = 0; count < 30; count += 1) expect(await from('203.0.113.9')).toBe(401);
    expect(await from('203.0.113.9')).toBe(429);
    expect(await from('203.0.113.10')).toBe(401);
  });

  it('queues many unverified callbacks, and responds to all of them, even when the server closes', async () => {
    // On a clock that stands still, nobody's turn comes.
    const now = Date.now();
    await using service = await start({}, () => now);
    let responses = 0;
    const forging = Array.from({ length: 60 }, async () => {
      const { status } = await service.post('/callback/paygate', forged());
      responses += 1;
      return status;
    });
    await expect.poll(() => responses, { timeout: 4_000 }).toBe(50);
    const orderId = await service.place();
    expect((await service.post('/callback/paygate', signed(paidNews(orderId)))).status).toBe(200);
    expect(responses).toBe(50);
    await service.server.close();
    expect((await Promise.all(forging)).every((status) => status === 401 || status === 429)).toBe(true);
    // What was noted and not stored yet was stored at the end.
    const rejected = await service.store.listCallbacks({ outcome: 'rejected', limit: 100 });
    expect(rejected.length).toBeGreaterThan(0);
  });

  it('frees the place of a callback whose connection is lost', async () => {
    const now = Date.now();
    const log = await startLogged({}, { ...parts(), realClock: () => now });
    await using server = log.server;
    const send = (headers: Record<string, string>, signal: AbortSignal | null) =>
      fetch(`${server.publicUrl}/callback/paygate`, { method: 'POST', headers, body: '{}', signal });
    for (let count = 0; count < 50; count += 1) await send({ 'x-test-signature': 'wrong' }, null);
    const lost = new AbortController();
    const waiting = send({ 'x-test-signature': 'wrong', 'x-request-id': 'lost' }, lost.signal);
    const outcome = expect(waiting).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    lost.abort();
    await outcome;
    expect(await log.request('lost')).toMatchObject({ status: null });
  });
});

it('has no callback route without memory for a queue, and finds the payment with a check', async () => {
  const store = createMemoryStore();
  await store.replaceCatalog(sandboxCatalog());
  const clock = { now: Date.now() };
  const realClock = () => clock.now;
  const { gateway, control } = callbackGateway();
  const config = readConfig({ TOPUP_MODE: 'sandbox' });
  const { app, dueWork } = createService(
    config,
    { ...parts(), gateway, realClock },
    {
      store,
      fixedKeys: [{ key: sandboxKey, directOnly: false }],
      settings: { ...config, publicUrl: 'http://localhost', limits: defaultLimits },
      logger: pino({ level: 'silent' }),
      metrics: createMetrics(),
      whyUnready: async () => null,
      world: createWorldClock(realClock),
      emit: () => {},
      failure: () => null,
      rooms: [],
    },
  );
  const post = (path: string, headers: Record<string, string>, body: BodyInit) =>
    app.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body }));
  const placed = await post(
    '/api/order',
    { 'Content-Type': 'application/json', 'X-API-KEY': sandboxKey },
    JSON.stringify({ ...fixtureOrder, promo_code: undefined }),
  );
  const { orderId } = await placed.json();
  const { headers } = signed(paidNews(orderId));
  expect((await post('/callback/paygate', headers, paidNews(orderId))).status).toBe(404);
  expect(await store.listCallbacks({ limit: 10 })).toEqual([]);
  control.report = async () => ({ status: 'paid', amount: 44_000, at: clock.now });
  clock.now += 60_000;
  await dueWork.run();
  await expect.poll(async () => (await store.findOrder(orderId))?.paymentStatus).toBe('PAID');
});

describe('the log', () => {
  function logged() {
    const lines: object[] = [];
    const logger = pino({ level: 'info', base: null }, { write: (line) => lines.push(JSON.parse(line)) });
    return { lines, logger };
  }

  it.each([
    ['applied', 'info'],
    ['unchanged', 'info'],
    ['ignored', 'info'],
    ['reconciliation', 'info'],
    ['contradiction', 'info'],
    ['unmatched', 'warn'],
    ['rejected', 'warn'],
    ['limited', 'warn'],
    ['forbidden', 'warn'],
    ['failed', 'warn'],
  ] as const)('logs one line for a callback that is %s, at the level %s', (outcome, level) => {
    const { lines, logger } = logged();
    const handled = { callbackId: 'cb_1', provider: 'paygate', outcome, address: '192.0.2.7' };
    logCallback(logger, { ...handled, reason: null, orderId: 'INV-1', count: 1 }, undefined);
    expect(lines).toEqual([
      expect.objectContaining({
        ...handled,
        order: 'INV-1',
        level: logger.levels.values[level],
        msg: 'a callback was handled',
      }),
    ]);
  });

  it('logs one line for many callbacks with the same problem, with their number', () => {
    const { lines, logger } = logged();
    const handled = {
      callbackId: null,
      provider: 'paygate',
      outcome: 'limited',
      address: '192.0.2.7',
    } as const;
    logCallback(logger, { ...handled, reason: 'R', orderId: null, count: 12_039 }, undefined);
    expect(lines).toEqual([
      expect.objectContaining({ ...handled, reason: 'R', count: 12_039, msg: 'callbacks were handled' }),
    ]);
  });

  it('logs the error that prevented a callback', () => {
    const { lines, logger } = logged();
    const handled = { callbackId: null, provider: 'paygate', reason: 'R', orderId: null, address: '' };
    logCallback(logger, { ...handled, outcome: 'failed', count: 1 }, new Error('disk full'));
    expect(lines).toMatchObject([{ err: { message: 'disk full' } }]);
  });

  it("logs a callback's result, but none of its content", async () => {
    const { lines, logger } = logged();
    const config = readConfig({ TOPUP_MODE: 'sandbox', TOPUP_CALLBACK_ADDRESSES: '127.0.0.1' });
    const metrics = createMetrics();
    const { app } = createService(config, parts(), {
      store: createMemoryStore(),
      fixedKeys: [],
      settings: { ...config, publicUrl: 'http://localhost', limits: defaultLimits },
      logger,
      metrics,
      whyUnready: async () => null,
      world: createWorldClock(Date.now),
      emit: createEventLog({ logger, metrics, noteCall: () => {} }),
      failure: () => null,
      rooms: [receiveCallbacks({ config, logger, metrics, closing: new AbortController().signal })],
    });
    const { headers, body } = signed('{"private":"word"}');
    const post = (address: string, path = '/callback/paygate') =>
      app.fetch(
        // Safe: these bytes are not a view of shared memory.
        new Request(`http://localhost${path}`, {
          method: 'POST',
          headers,
          body: body as Uint8Array<ArrayBuffer>,
        }),
        { address, direct: false },
      );
    const failed = await post('127.0.0.1');
    expect([failed.status, failed.headers.get('Retry-After')]).toEqual([503, '1']);
    expect((await post('127.0.0.2')).status).toBe(403);
    expect((await post('127.0.0.1', '/callback/paygate/')).status).toBe(404);
    expect((await post('127.0.0.1', '/api/callback/paygate')).status).toBe(401);
    expect((await post('127.0.0.1', '/callback/depot')).status).toBe(404);
    expect((await post('127.0.0.1', '/callback/other')).status).toBe(404);
    expect(lines).toMatchObject([
      { provider: 'paygate', outcome: 'failed', callbackId: expect.stringMatching(/^cb_/) },
      { address: '127.0.0.2' },
      {
        path: '/callback/paygate/',
        msg: "a callback arrived at a wrong path. Set the provider's callback URL to http://localhost/callback/paygate",
      },
      { path: '/callback/depot', msg: expect.stringMatching(/ to http:\/\/localhost\/depot\/webhook$/) },
    ]);
    expect(JSON.stringify(lines)).not.toContain('word');
  });

  it('logs each rejected address once', () => {
    const { lines, logger } = logged();
    const mayCall = createAddressCheck(['10.0.0.0/8'], logger);
    expect(['10.1.2.3', '11.0.0.1', '11.0.0.1', '11.0.0.2'].map(mayCall)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(lines).toMatchObject([{ address: '11.0.0.1' }, { address: '11.0.0.2' }]);
  });
});

describe('an address list', () => {
  const list = '95.111.200.230,2a04:3543:1000:2310:ac92:4cff:fe87:63f9,103.208.23.0/24,2001:db8::/32';
  const matches = matcherOf(addressList(list) ?? []);

  it.each([
    '95.111.200.230',
    '::ffff:95.111.200.230',
    '::ffff:103.208.23.255',
    '103.208.23.0',
    '2a04:3543:1000:2310:ac92:4cff:fe87:63f9',
    '2A04:3543:1000:2310:AC92:4CFF:FE87:63F9',
    '2001:db8:ffff::1',
  ])('contains the address %s', (address) => {
    expect(matches(address)).toBe(true);
  });

  it.each(['95.111.200.231', '::ffff:95.111.200.231', '103.208.24.0', '2001:db9::1', '::1', '', 'localhost'])(
    "doesn't contain the address %j",
    (address) => {
      expect(matches(address)).toBe(false);
    },
  );
});
