import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTopupClient, isTopupError } from '@topup-kit/sdk';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Behaviour, createOrderService } from './order-service.ts';
import { baseUrl, orderRequest, rejection, underFakeTimers } from './responses.ts';

/** Failures after which an order may or may not exist. */
const ambiguous: [Behaviour, orders: number, code: string][] = [
  ['drops before', 0, 'NETWORK_ERROR'],
  ['drops after', 1, 'NETWORK_ERROR'],
  ['is silent before', 0, 'TIMEOUT'],
  ['is silent after', 1, 'TIMEOUT'],
  ['is slow', 1, 'TIMEOUT'],
  ['cuts the response', 1, 'NETWORK_ERROR'],
  ['stalls the response', 1, 'TIMEOUT'],
  ['sends half the JSON', 1, 'NOT_JSON'],
  ['sends an empty body', 1, 'EMPTY_BODY'],
  ['408 before', 0, 'HTTP_ERROR'],
  ['500 before', 0, 'SERVER_ERROR'],
  ['500 after', 1, 'SERVER_ERROR'],
  ['502 before', 0, 'SERVER_ERROR'],
  ['502 after', 1, 'SERVER_ERROR'],
  ['504 before', 0, 'SERVER_ERROR'],
  ['504 after', 1, 'SERVER_ERROR'],
];
/** Failures that certainly created no order. */
const harmless: [Behaviour][] = [['refuses the connection'], ['503'], ['429']];

/** Only possible with a custom fetch. */
const ofWrapper: Behaviour = 'is reached by a fetch that then fails to connect';

/** Time for a slow attempt to finish after the call has ended. */
const aftermath = 120_000;

describe('in this process', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  describe('a service that ignores the key', () => {
    it.each(ambiguous)(
      '%s: sends one attempt, creates %i order, and reports an unknown outcome',
      async (behaviour, orders, code) => {
        const service = createOrderService([behaviour], { honoursKey: false });
        const client = createTopupClient({ baseUrl, fetch: service.fetch });

        const { error } = await underFakeTimers(client.orders.create(orderRequest));
        await vi.advanceTimersByTimeAsync(aftermath);

        expect(error).toMatchObject({
          code: 'UNKNOWN_OUTCOME',
          retryable: false,
          attempts: 1,
          cause: { code },
        });
        expect(service.attempts).toHaveLength(1);
        expect(service.orders).toHaveLength(orders);
      },
    );

    it.each(harmless)('%s: retries, and creates one order', async (behaviour) => {
      const service = createOrderService([behaviour, behaviour], { honoursKey: false });
      vi.stubGlobal('fetch', service.fetch);
      const client = createTopupClient({ baseUrl });

      const { data } = await underFakeTimers(client.orders.create(orderRequest));

      expect(data).toMatchObject({ orderId: 'INV-1-ABCDEFGH' });
      expect(service.attempts).toHaveLength(3);
      expect(service.orders).toHaveLength(1);
    });

    it.each(harmless)('%s on every attempt: reports that no order was created', async (behaviour) => {
      const service = createOrderService([behaviour, behaviour, behaviour], { honoursKey: false });
      vi.stubGlobal('fetch', service.fetch);
      const client = createTopupClient({ baseUrl });

      const { error } = await underFakeTimers(client.orders.create(orderRequest));

      expect(error).toMatchObject({ retryable: true, attempts: 3 });
      expect(isTopupError(error, 'UNKNOWN_OUTCOME')).toBe(false);
      expect(service.orders).toHaveLength(0);
    });

    it.each<[Behaviour, orders: number]>([
      ['refuses the connection', 0],
      [ofWrapper, 1],
    ])(
      '%s of a custom fetch: one attempt, %i order, and the outcome is unknown',
      async (behaviour, orders) => {
        const service = createOrderService([behaviour], { honoursKey: false });
        const client = createTopupClient({ baseUrl, fetch: service.fetch });

        const { error } = await underFakeTimers(client.orders.create(orderRequest));

        expect(error).toMatchObject({
          code: 'UNKNOWN_OUTCOME',
          retryable: false,
          attempts: 1,
          cause: { code: 'NETWORK_ERROR', systemCode: 'ECONNREFUSED', sent: true },
        });
        expect(service.attempts).toHaveLength(1);
        expect(service.orders).toHaveLength(orders);
      },
    );

    it("doesn't retry after an unclear failure that follows clear failures", async () => {
      const service = createOrderService(['503', 'drops after'], { honoursKey: false });
      const client = createTopupClient({ baseUrl, fetch: service.fetch, maxRetries: 5 });

      const { error } = await underFakeTimers(client.orders.create(orderRequest));

      expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME', attempts: 2 });
      expect(service.orders).toHaveLength(1);
    });
  });

  describe("with idempotency: 'supported'", () => {
    it.each(ambiguous)('%s: succeeds with one order', async (behaviour) => {
      const service = createOrderService([behaviour], { honoursKey: true });
      const client = createTopupClient({
        baseUrl,
        fetch: service.fetch,
        idempotency: 'supported',
        // Enough for a slow first attempt.
        maxRetries: 20,
      });

      const { data } = await underFakeTimers(client.orders.create(orderRequest));

      expect(data).toMatchObject({ orderId: 'INV-1-ABCDEFGH' });
      expect(service.orders).toHaveLength(1);
    });

    it('sends one key for all attempts', async () => {
      const service = createOrderService(['500 after', '503', 'drops after'], { honoursKey: true });
      const client = createTopupClient({
        baseUrl,
        fetch: service.fetch,
        idempotency: 'supported',
        maxRetries: 3,
      });

      const { data } = await underFakeTimers(client.orders.create(orderRequest));

      expect(service.attempts.map(({ key }) => key)).toEqual(Array(4).fill(data?.idempotencyKey));
    });
  });

  /** The result of create() must be correct with any behaviour of the service. */
  const tellsTheTruth = async (
    plan: Behaviour[],
    service: { honoursKey: boolean },
    by: 'the fetch of the platform' | 'a fetch of your own',
  ): Promise<void> => {
    const { fetch, orders, attempts } = createOrderService(plan, service);
    vi.stubGlobal('fetch', fetch);
    const client = createTopupClient({
      baseUrl,
      fetch: by === 'a fetch of your own' ? fetch : undefined,
      maxRetries: 4,
    });
    for (const idempotencyKey of ['first', 'second']) {
      const { data, error } = await underFakeTimers(client.orders.create(orderRequest, { idempotencyKey }));
      await vi.advanceTimersByTimeAsync(aftermath);

      const made = orders.filter((key) => key === idempotencyKey).length;
      expect(made, 'orders of one call').toBeLessThanOrEqual(1);
      if (data) expect(made, 'orders of a call that resolved').toBe(1);
      else if (!isTopupError(error, 'UNKNOWN_OUTCOME')) expect(made, `orders after ${error}`).toBe(0);
    }
    expect(attempts.every(({ key }) => key === 'first' || key === 'second')).toBe(true);
  };
  const behaviours: Behaviour[] = [
    'responds',
    '422',
    '404 of a gateway',
    ...[...ambiguous, ...harmless].map(([behaviour]) => behaviour),
  ];

  describe.each([
    ['the fetch of the platform', behaviours],
    ['a fetch of your own', [...behaviours, ofWrapper]],
  ] as const)('creates one order through %s', (by, possible) => {
    const plans = fc.array(fc.constantFrom(...possible), { maxLength: 8 });

    it.each([
      ['ignores', false],
      ['honours', true],
    ])(
      'returns the correct result for a service that %s the key, with any behaviour',
      async (_does, honoursKey) => {
        await fc.assert(
          fc.asyncProperty(plans, (plan) => tellsTheTruth(plan, { honoursKey }, by)),
          { numRuns: 150 },
        );
      },
    );
  });
});

describe('over a socket', () => {
  let server: Server | undefined;
  let orders = 0;
  let attempts = 0;

  const listen = async (respond: (response: ServerResponse, body: () => Promise<void>) => unknown) => {
    orders = 0;
    attempts = 0;
    server = createServer((request, response) => {
      attempts += 1;
      const body = async (): Promise<void> => {
        for await (const _chunk of request);
        orders += 1;
      };
      void respond(response, body);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    // Safe: it listens on TCP.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  };
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    vi.restoreAllMocks();
  });

  it('sends one attempt with an unknown outcome after a connection reset before the body was read', async () => {
    const url = await listen((response) => response.socket?.resetAndDestroy());

    const error = await rejection(createTopupClient({ baseUrl: url }).orders.create(orderRequest));

    expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME', cause: { code: 'NETWORK_ERROR', sent: true } });
    expect(attempts).toBe(1);
  });

  it('creates one order with an unknown outcome after a connection reset', async () => {
    const url = await listen(async (response, body) => {
      await body();
      response.socket?.resetAndDestroy();
    });

    const error = await rejection(createTopupClient({ baseUrl: url }).orders.create(orderRequest));

    expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME', cause: { code: 'NETWORK_ERROR', sent: true } });
    expect(orders).toBe(1);
  });

  it('creates one order with an unknown outcome after a connection closed during the response', async () => {
    const url = await listen(async (response, body) => {
      await body();
      response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': 100 });
      response.write('{"success":true,', () => response.socket?.destroy());
    });

    const error = await rejection(createTopupClient({ baseUrl: url }).orders.create(orderRequest));

    expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME', cause: { code: 'NETWORK_ERROR' } });
    expect(orders).toBe(1);
  });

  it('creates one order with an unknown outcome after a stalled response, and closes the connection', async () => {
    let closed: Promise<unknown> | undefined;
    const url = await listen(async (response, body) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      await body();
      response.writeHead(201, { 'Content-Type': 'application/json' });
      response.write('{"success":');
    });

    const error = await rejection(
      createTopupClient({ baseUrl: url, timeout: 150 }).orders.create(orderRequest),
    );

    expect(error).toMatchObject({ code: 'UNKNOWN_OUTCOME', cause: { code: 'TIMEOUT' } });
    expect(orders).toBe(1);
    await closed;
  });

  it('resends the order after a stalled response of a service that honours the key', async () => {
    const url = await listen(async (response, body) => {
      await body();
      response.writeHead(201, { 'Content-Type': 'application/json', 'Idempotency-Key': 'cart-17' });
      response.write('{"success":true,');
      if (attempts === 2) response.end('"orderId":"INV-1-ABCDEFGH"}');
    });
    vi.spyOn(Math, 'random').mockReturnValue(0);

    const call = createTopupClient({ baseUrl: url, timeout: 150 }).orders.create(orderRequest, {
      idempotencyKey: 'cart-17',
    });

    expect(await call.withResponse()).toMatchObject({ data: { orderId: 'INV-1-ABCDEFGH' }, attempts: 2 });
  });

  it('retries after a refused connection, and reports that nothing was sent', async () => {
    const url = await listen(() => {});
    await new Promise((resolve) => server?.close(resolve));
    vi.spyOn(Math, 'random').mockReturnValue(0);

    const error = await rejection(
      createTopupClient({ baseUrl: url, maxRetries: 1 }).orders.create(orderRequest),
    );

    expect(error).toMatchObject({
      code: 'NETWORK_ERROR',
      systemCode: 'ECONNREFUSED',
      sent: false,
      attempts: 2,
    });
  });
});
