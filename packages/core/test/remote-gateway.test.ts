import { afterEach, describe, expect, it, vi } from 'vitest';
import { loggedText } from '../../suites/src/assertions.ts';
import { findUnclear, voidOrder } from '../src/features/index.ts';
import type { Payment, Store } from '../src/features/store.ts';
import type {
  FindPaymentRequest,
  FindPaymentResult,
  PaymentRequest,
  RemoteGateway,
} from '../src/gateway/index.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;
const never = new Promise<never>(() => {});

const paymentOf = (orderId: string): Payment => ({
  reference: `remote-${orderId}`,
  code: '123',
  url: 'https://gateway.example/pay',
  qrString: null,
});

const foundOf = (orderId: string) => ({ state: 'found', payment: paymentOf(orderId) }) as const;

/** A gateway behind a network with the given behaviour. */
const gatewayThat = (behaviour: Partial<RemoteGateway>): RemoteGateway => ({
  kind: 'remote',
  name: 'remote',
  sandbox: true,
  createPayment: async ({ orderId }) => paymentOf(orderId),
  findPayment: async () => ({ state: 'absent' }),
  ...behaviour,
});

const down = () => Promise.reject(new Error('gateway down'));

/** The sandbox catalogue with a quota of one for RAMADAN10. */
function catalogWithSingleUse() {
  const catalog = sandboxCatalog();
  const promo = catalog.promos.find(({ code }) => code === 'RAMADAN10');
  if (!promo) throw new Error('no RAMADAN10');
  return { ...catalog, promos: [{ ...promo, quota: 1 }] };
}

const keyed = { headers: { 'Idempotency-Key': 'k' } };

const start = (gateway: Partial<RemoteGateway>, options: Parameters<typeof createTestService>[0] = {}) =>
  createTestService({ gateway: gatewayThat(gateway), catalog: catalogWithSingleUse(), ...options });

afterEach(() => {
  vi.useRealTimers();
});

describe('an order over a gateway that does I/O', () => {
  it("creates an order with the gateway's payment", async () => {
    const { order, get } = await start({});
    const { status, json } = await order();
    expect(status).toBe(201);
    expect(json.data.payment_reference).toBe(`remote-${json.orderId}`);
    expect((await get(`/invoice/${json.orderId}`)).status).toBe(200);
  });

  it("sends the gateway the return URL with the order's id", async () => {
    const asked: (string | undefined)[] = [];
    const { order } = await start({
      async createPayment({ orderId, returnUrl }) {
        asked.push(returnUrl);
        return paymentOf(orderId);
      },
    });
    const placed = await order({
      ...fixtureOrder,
      promo_code: undefined,
      return_url: 'https://shop.example/{order_id}?x={order_id}',
    });
    await order();
    const { orderId } = placed.json;
    expect(asked).toEqual([`https://shop.example/${orderId}?x=${orderId}`, undefined]);
  });

  it('hides an order while the server waits for the gateway, and keeps its claims', async () => {
    const gateway = Promise.withResolvers<Payment>();
    const asked = Promise.withResolvers<string>();
    const { order, get, store } = await start({
      createPayment({ orderId }) {
        asked.resolve(orderId);
        return gateway.promise;
      },
    });
    const first = order(fixtureOrder, keyed);
    const orderId = await asked.promise;
    expect((await get(`/invoice/${orderId}`)).status).toBe(404);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(1);
    expect((await order()).headers.get('X-Error-Code')).toBe('PROMO_QUOTA');
    const second = await order(fixtureOrder, keyed);
    expect(second.status).toBe(409);
    expect(second.headers.get('X-Error-Code')).toBe('IDEMPOTENCY_IN_FLIGHT');
    expect(second.headers.get('Retry-After')).toBe('1');
    gateway.resolve(paymentOf(orderId));
    expect((await first).status).toBe(201);
    expect((await order(fixtureOrder, keyed)).text).toBe((await first).text);
  });
});

describe('a gateway that fails', () => {
  it('stores nothing when the gateway failed without a payment', async () => {
    const { order, store } = await start({ createPayment: down });
    const failed = await order(fixtureOrder, keyed);
    expect(failed.status).toBe(500);
    expect(failed.json).toEqual({ success: false, message: 'Gagal membuat transaksi pembayaran.' });
    expect(await store.findReservedOrders(10)).toEqual([]);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
    expect(await store.findIdempotentResponse('sandbox', 'k')).toBeNull();
  });

  it('finds a payment whose response was lost', async () => {
    const { order, get } = await start({
      createPayment: down,
      findPayment: async ({ orderId }) => foundOf(orderId),
    });
    const created = await order(fixtureOrder, keyed);
    expect(created.status).toBe(201);
    expect(created.headers.get('Idempotency-Replayed')).toBeNull();
    expect((await get(`/invoice/${created.json.orderId}`)).status).toBe(200);
    expect((await order(fixtureOrder, keyed)).text).toBe(created.text);
  });

  it("asks the gateway for the order's payment with its amount and age", async () => {
    const asked: FindPaymentRequest[] = [];
    const { order, store, clock, engine } = await start({
      createPayment: down,
      async findPayment(request) {
        asked.push(request);
        return down();
      },
    });
    await order();
    clock.now += minute;
    await engine.dueWork.run();
    const [reserved] = await store.findReservedOrders(10);
    const question = { orderId: reserved?.orderId, amount: 40_000 };
    expect(asked).toEqual([
      { ...question, ageMs: 0 },
      { ...question, ageMs: minute },
    ]);
  });

  it('keeps the order reserved while the gateway is unreachable, and recovers it later', async () => {
    let gateway: 'down' | 'up' = 'down';
    const { order, store, clock, engine } = await start({
      createPayment: down,
      findPayment: async ({ orderId }) => (gateway === 'down' ? down() : foundOf(orderId)),
    });
    expect((await order(fixtureOrder, keyed)).status).toBe(500);
    expect(await store.findReservedOrders(10)).toHaveLength(1);
    gateway = 'up';
    clock.now += minute;
    await engine.dueWork.run();
    expect(await store.findReservedOrders(10)).toEqual([]);
    const replayed = await order(fixtureOrder, keyed);
    expect(replayed.status).toBe(201);
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(1);
  });
});

describe('a gateway that certainly rejects a payment', () => {
  const rejecting = (over: Partial<RemoteGateway> = {}): Partial<RemoteGateway> => ({
    createPayment: async () => ({ rejected: 'the channel is closed' }),
    findPayment: down,
    ...over,
  });

  it('stores nothing after a certain rejection, and places the order immediately when its key is repeated', async () => {
    let isClosed = true;
    const { order, store, reported } = await start(
      rejecting({
        createPayment: async ({ orderId }) =>
          isClosed ? { rejected: 'the channel is closed' } : paymentOf(orderId),
      }),
    );
    const failed = await order(fixtureOrder, keyed);
    expect(failed.status).toBe(500);
    expect(failed.headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect(failed.text).not.toContain('channel is closed');
    expect(await store.findReservedOrders(10)).toEqual([]);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
    expect(await store.findIdempotentResponse('sandbox', 'k')).toBeNull();
    const logged = reported.map((error) => loggedText(error));
    expect(logged.filter((text) => text.includes('the channel is closed'))).toHaveLength(1);
    isClosed = false;
    expect((await order(fixtureOrder, keyed)).status).toBe(201);
  });

  it('distrusts a rejection that has a reference', async () => {
    const { order, store } = await start(
      // Safe: an adapter without types can return anything.
      rejecting({ createPayment: async () => ({ rejected: 'no', reference: 'remote-1' }) as never }),
    );
    await order();
    expect(await store.findOrderByReference('remote-1')).not.toBeNull();
  });

  it('recovers the order later when the store fails', async () => {
    let isBroken = true;
    const { order, store, engine, clock, reported } = await start(
      rejecting({ findPayment: async () => ({ state: 'absent' }) }),
      {
        store: (real) => ({
          ...real,
          abandonOrder: (id) => (isBroken ? Promise.reject(new Error('disk')) : real.abandonOrder(id)),
        }),
      },
    );
    expect((await order()).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect(reported[0]).toEqual(new Error('disk'));
    expect(await store.findReservedOrders(10)).toHaveLength(1);
    isBroken = false;
    clock.now += minute;
    await engine.dueWork.run();
    expect(await store.findReservedOrders(10)).toEqual([]);
  });
});

describe('a gateway that returns nonsense', () => {
  // Safe: an adapter without types can return anything.
  const returning = (value: unknown) => async () => value as never;
  const unreadable = { reference: 'remote-1', code: 7, url: null, qrString: null };

  it('fills in fields that the gateway left out, so that the order shows the reference as its code', async () => {
    const payment = { reference: 'remote-1', url: 'https://gateway.example/pay' };
    const { order, get } = await start({ createPayment: async () => payment });
    const { status, json } = await order();
    expect(status).toBe(201);
    const invoice = (await get(`/invoice/${json.orderId}`)).json.order;
    expect(invoice).toMatchObject({ payment_code: 'remote-1', payment_status: 'UNPAID' });
    expect(invoice.payment_url).toBe('https://gateway.example/pay');
  });

  it.each([
    ['QRIS', 12, { code: '00020101' }, 'QRIS needs qrString or url'],
    ['a virtual account', 13, { qrString: '00020101' }, 'Virtual Account needs code or url'],
    ['a wallet', 19, { code: '0812' }, 'E-Wallet needs url or qrString'],
  ])('fails the order for %s without a way to pay', async (_what, method, given, words) => {
    const payment = { reference: 'remote-1', ...given };
    const { order, store, reported } = await start({
      createPayment: async () => payment,
      findPayment: async () => ({ state: 'found', payment }),
    });
    const body = { ...fixtureOrder, payment_method_id: method, promo_code: undefined };
    expect((await order(body)).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect(await store.findOrderByReference('remote-1')).toMatchObject({ paymentStatus: 'FAILED' });
    expect(reported.map(String).join()).toContain(`that can't be paid: a payment of ${words}.`);
  });

  it.each([
    ['a payment without a reference', { code: '123' }],
    [
      'a payment with a page that is not a web address',
      { reference: 'remote-1', url: 'javascript:alert(1)' },
    ],
    ['a result that is not an object', 'OK'],
  ])('looks up the payment when the gateway returns %s', async (_what, value) => {
    const { order } = await start({
      createPayment: returning(value),
      findPayment: async ({ orderId }) => foundOf(orderId),
    });
    const { status, json } = await order();
    expect(status).toBe(201);
    expect(json.data.payment_reference).toBe(`remote-${json.orderId}`);
  });

  it.each([
    ['nonsense again', returning({ state: 'found', payment: unreadable })],
    ['nothing', returning(undefined)],
    ['an error', down],
    ['absent', returning({ state: 'absent' })],
  ])(
    'fails the order when the gateway then returns %s, and keeps its payment for an operator',
    async (_what, findPayment) => {
      const { order, store, engine, clock } = await start({
        createPayment: returning(unreadable),
        findPayment,
      });
      const failed = await order(fixtureOrder, keyed);
      expect(failed.status).toBe(500);
      expect(failed.headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');

      const [stored] = await store.listOrders({ limit: 10 });
      expect(stored).toMatchObject({ paymentStatus: 'FAILED', buyStatus: 'Batal', payment: { code: null } });
      expect(await store.findReservedOrders(10)).toEqual([]);
      expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
      expect(await store.findIdempotentResponse('sandbox', 'k')).toBeNull();

      const amount = stored?.pricing.total_price ?? 0;
      await engine.handlePaymentEvent({ reference: 'remote-1', status: 'paid', amount, at: clock.now });
      expect(await store.listReconciliations({ state: 'open' })).toMatchObject([
        { orderId: stored?.orderId, reference: 'remote-1', reason: 'closed', amount },
      ]);
    },
  );

  it('fails the order for a payment that the gateway calls unusable, and keeps the payment for an operator', async () => {
    const payment = { reference: 'remote-1', code: '123', unusable: 'it asks for 41030' };
    const { order, store, reported } = await start({
      createPayment: async () => payment,
      findPayment: async () => ({ state: 'found', payment }),
    });
    expect((await order()).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect(await store.findOrderByReference('remote-1')).toMatchObject({
      ...{ paymentStatus: 'FAILED', payment: { code: null } },
    });
    expect(reported.map(String).join()).toContain('it asks for 41030');
  });

  it("keeps the order reserved without any reference, until the gateway's response is readable", async () => {
    let found: unknown = 'OK';
    const { order, store, clock, engine, reported } = await start({
      createPayment: returning({}),
      findPayment: async () => found as never, // Safe: an adapter without types can return anything.
    });
    expect((await order(fixtureOrder, keyed)).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect(reported.map(String).join()).toContain(
      "gateway's createPayment returned an invalid result.reference",
    );
    expect(await store.findReservedOrders(10)).toHaveLength(1);

    found = { state: 'found', payment: unreadable };
    clock.now += minute;
    await engine.dueWork.run();
    expect(await store.findReservedOrders(10)).toEqual([]);
    expect(await store.findOrderByReference('remote-1')).toMatchObject({ paymentStatus: 'FAILED' });
  });

  it('reports the reference of another order, and keeps the order reserved', async () => {
    const payment = { reference: 'always-the-same', url: 'https://gateway.example/pay' };
    const { order, store, reported } = await start({
      createPayment: async () => payment,
      findPayment: async () => ({ state: 'found', payment }),
    });
    const plain = { ...fixtureOrder, promo_code: undefined };
    expect((await order(plain)).status).toBe(201);
    expect((await order(plain)).status).toBe(500);
    expect(await store.findReservedOrders(10)).toHaveLength(1);
    expect(reported.length).toBeGreaterThan(0);
  });
});

describe('the request to a gateway', () => {
  async function requestOf(over: object, gateway: Partial<RemoteGateway> = {}): Promise<PaymentRequest> {
    const asked = Promise.withResolvers<PaymentRequest>();
    const { order } = await start({
      ...gateway,
      async createPayment(request) {
        asked.resolve(request);
        return paymentOf(request.orderId);
      },
    });
    expect((await order({ ...fixtureOrder, ...over })).status).toBe(201);
    return asked.promise;
  }

  it('sends the customer, and items that add up to the amount', async () => {
    const request = await requestOf({ email: 'a@example.com', nickname: 'Budi', payment_method_id: 13 });
    expect(request).toMatchObject({
      amount: 44_250,
      method: { code: 'BRIVA', group: 'Virtual Account' },
      customer: { phone: '081234567890', email: 'a@example.com', name: 'Budi' },
      items: [
        { sku: 'ML86', name: expect.stringContaining('86 Diamond'), price: 20_000, quantity: 2 },
        { sku: null, name: 'Payment fee', price: 4_250, quantity: 1 },
      ],
    });
  });

  it('sends the unique code as an item', async () => {
    const { amount, items } = await requestOf({ payment_method_id: 21 });
    expect(items).toMatchObject([{ sku: 'ML86' }, { sku: null, name: 'Unique code', quantity: 1 }]);
    expect(items.reduce((sum, { price, quantity }) => sum + price * quantity, 0)).toBe(amount);
  });

  it.each([
    ['shortens', { max: 10 * minute }, 10 * minute],
    ['lengthens', { min: 60 * minute }, 60 * minute],
    ['leaves', { min: 10 * minute, max: 60 * minute }, 30 * minute],
  ] as const)('limits %s the time to pay according to the channel', async (_what, limits, expected) => {
    const expiryLimits = ({ code }: PaymentRequest['method']) => (code === 'QRIS' ? limits : {});
    const { expiresAt } = await requestOf({}, { expiryLimits });
    expect(expiresAt - Date.UTC(2026, 2, 28, 3)).toBe(expected);
  });
});

describe("a gateway that doesn't respond", () => {
  it('stops waiting for a gateway after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = Promise.withResolvers<void>();
    const { order, store } = await start({
      createPayment() {
        asked.resolve();
        return never;
      },
    });
    const response = order();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await response).status).toBe(500);
    expect(await store.findReservedOrders(10)).toEqual([]);
  });

  it('stops waiting for the gateway after ten seconds when the payment is looked up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = Promise.withResolvers<void>();
    const { order, store, reported } = await start({
      createPayment() {
        asked.resolve();
        return never;
      },
      findPayment: () => never,
    });
    const response = order();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await response).status).toBe(500);
    expect(reported).toEqual(Array(2).fill(new Error('the gateway did not respond in time')));
    expect(await store.findReservedOrders(10)).toHaveLength(1);
  });
});

describe('an order whose payment stays unclear', () => {
  /** An order without a word of the gateway, and its age in milliseconds. */
  async function unclear(age: number, found: () => Promise<never> | Promise<FindPaymentResult> = down) {
    const service = await start({ createPayment: down, findPayment: found });
    await service.order(fixtureOrder, keyed);
    service.clock.now += age;
    const [reserved] = await service.store.findReservedOrders(10);
    const orderId = reserved?.orderId ?? '';
    const deps = { store: service.store, worldClock: () => service.clock.now };
    return { ...service, orderId, find: (id = orderId) => findUnclear(deps, id) };
  }

  it('allows an operator to abandon an unclear order when no request can be in flight', async () => {
    const { find, clock, orderId } = await unclear(29_999);
    expect(await find()).toEqual({ state: 'in-flight', until: clock.now + 1 });
    clock.now += 1;
    expect(await find()).toMatchObject({ state: 'unclear', order: { orderId } });
    expect(await find('INV-nobody')).toEqual({ state: 'missing' });
  });

  it('keeps an order unclear while another gateway is configured', async () => {
    const { store, orderId, clock } = await unclear(minute);
    const find = async () => ({ state: 'absent' }) as const;
    const other = await start({ name: 'other', findPayment: find }, { after: store });
    other.clock.now = clock.now + minute;
    await other.engine.dueWork.run();
    expect(await store.findReservedOrders(10)).toMatchObject([{ orderId }]);
    const again = await start({ findPayment: find }, { after: store });
    again.clock.now = other.clock.now;
    await again.engine.dueWork.run();
    expect(await store.findReservedOrders(10)).toEqual([]);
  });

  it("doesn't call an order unclear if it has a payment", async () => {
    const { order, store, clock } = await start({});
    const { orderId } = (await order()).json;
    clock.now += minute;
    const found = await findUnclear({ store, worldClock: () => clock.now }, orderId);
    expect(found).toEqual({ state: 'placed' });
  });

  it('stores no payment of an abandoned order, and keeps its money for an operator', async () => {
    const { store, orderId, order, engine, clock } = await unclear(minute);
    await store.abandonOrder(orderId);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
    expect((await order(fixtureOrder, keyed)).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    await store.abandonOrder((await store.findReservedOrders(10))[0]?.orderId ?? '');
    const event = { reference: 'late', orderId, status: 'paid', amount: 1, at: clock.now } as const;
    await engine.handlePaymentEvent(event);
    expect(await store.listReconciliations({ state: 'open' })).toMatchObject([
      { reference: 'late', reason: 'unknown' },
    ]);
  });

  it('records who abandoned an order and why, and releases its claims', async () => {
    const { store, orderId, order, engine, clock } = await unclear(minute);
    const operating = { store, worldClock: () => clock.now, operator: 'ani' };
    expect(await voidOrder(operating, orderId, 'not in its dashboard')).toEqual({ done: true });
    expect(await voidOrder(operating, orderId, 'again')).toEqual({ conflict: 'order_missing' });
    expect(await store.findOrder(orderId)).toMatchObject({ paymentStatus: 'FAILED', buyStatus: 'Batal' });
    expect(await store.findHistory(orderId)).toMatchObject([
      { event: 'failed', by: 'operator', operator: 'ani', note: 'not in its dashboard' },
    ]);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
    // The key makes another order.
    expect((await order(fixtureOrder, keyed)).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect(await store.findReservedOrders(10)).toHaveLength(1);
    // Money that still arrives is of the order.
    const late = { reference: 'late', orderId, status: 'paid', amount: 40_000, at: clock.now } as const;
    await engine.handlePaymentEvent(late);
    expect(await store.listReconciliations({ state: 'open' })).toMatchObject([
      { orderId, reason: 'unknown' },
    ]);
  });

  it.each(['found', 'absent'] as const)(
    'lets an operator abandon an order safely while the server finds it %s',
    async (state) => {
      const asked = Promise.withResolvers<void>();
      const response = Promise.withResolvers<FindPaymentResult>();
      let isFirst = true;
      const { store, orderId, engine, clock } = await unclear(minute, () => {
        if (isFirst) {
          isFirst = false;
          return down();
        }
        asked.resolve();
        return response.promise;
      });
      const recovering = engine.dueWork.run();
      await asked.promise;
      await store.abandonOrder(orderId);
      response.resolve(state === 'found' ? foundOf(orderId) : { state: 'absent' });
      await recovering;
      await engine.dueWork.run();
      expect(await store.findReservedOrders(10)).toEqual([]);
      expect(await store.findOrder(orderId)).toBeNull();
      const reference = `remote-${orderId}`;
      await engine.handlePaymentEvent({ reference, orderId, status: 'paid', amount: 1, at: clock.now });
      expect(await store.listReconciliations({ state: 'open' })).toMatchObject([
        { reference, reason: 'unknown' },
      ]);
    },
  );
});

describe('a server that dies while an order is created', () => {
  /** Ends the process during a step, and starts a new server on its store half a minute later. */
  async function afterDeath(
    dying: Partial<RemoteGateway>,
    store: (real: Store) => Store,
    reborn: Partial<RemoteGateway>,
  ) {
    const reached = Promise.withResolvers<void>();
    const service = await start(
      {
        async createPayment({ orderId }, signal) {
          reached.resolve();
          return dying.createPayment ? dying.createPayment({ orderId } as never, signal) : paymentOf(orderId);
        },
      },
      { store: (real) => store(real) },
    );
    void service.order(fixtureOrder, keyed);
    await reached.promise;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const next = await createTestService({ gateway: gatewayThat(reborn), after: service.store });
    next.clock.now = service.clock.now + minute;
    await next.engine.dueWork.run();
    return next;
  }
  const same = (store: Store): Store => store;

  it('abandons the order if the server dies before the gateway created a payment, and releases its claims', async () => {
    const { order, store } = await afterDeath({ createPayment: () => never }, same, {});
    expect(await store.findReservedOrders(10)).toEqual([]);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
    const fresh = await order(fixtureOrder, keyed);
    expect(fresh.status).toBe(201);
    expect(fresh.headers.get('Idempotency-Replayed')).toBeNull();
  });

  it('finalises the order if the server dies after the gateway created a payment, and replays its response', async () => {
    const { order, store } = await afterDeath({}, (real) => ({ ...real, finaliseOrder: () => never }), {
      findPayment: async ({ orderId }) => foundOf(orderId),
    });
    const [created] = await store.listOrders({ limit: 10 });
    const replayed = await order(fixtureOrder, keyed);
    expect(replayed.json.orderId).toBe(created?.orderId);
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await store.listOrders({ limit: 10 })).toHaveLength(1);
  });

  it('ignores an order whose request may still be in flight', async () => {
    const { store, engine, clock, order } = await start({ createPayment: () => never });
    void order();
    await expect.poll(() => store.findReservedOrders(10)).toHaveLength(1);
    clock.now += 29_000;
    await engine.dueWork.run();
    expect(await store.findReservedOrders(10)).toHaveLength(1);
  });
});

describe('a gateway that does no I/O', () => {
  it('sends the store only one command without gateway I/O', async () => {
    const commands: string[] = [];
    const { order } = await createTestService({
      store: (real) =>
        new Proxy(real, {
          get(target, name: keyof Store) {
            if (/^(place|reserve|finalise|abandon|change)/.test(name)) commands.push(name);
            return target[name];
          },
        }),
    });
    expect((await order(fixtureOrder, keyed)).status).toBe(201);
    expect(commands).toEqual(['placeOrder']);
  });
});
