import { describe, expect, it } from 'vitest';
import {
  another,
  change,
  inFlight,
  moment,
  place,
  reserve,
  response,
} from '../../suites/src/store/fixtures.ts';
import { errors } from '../src/contract/index.ts';
import { createOrders } from '../src/engine/orders/orders.ts';
import type { PlaceOrderDependencies } from '../src/engine/orders/place-order.ts';
import { createMemoryStore } from '../src/features/store.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;

/** The sandbox catalogue with a promo that only one order may use. */
function catalogWithSingleUse() {
  const catalog = sandboxCatalog();
  const promo = catalog.promos.find(({ code }) => code === 'RAMADAN10');
  if (!promo) throw new Error('no RAMADAN10');
  return { ...catalog, promos: [{ ...promo, quota: 1 }] };
}

/** The orders of a store with order A, placed with `key-1`, and order B, which is reserved with `key-3`. */
async function ordersOf() {
  const store = createMemoryStore();
  await store.placeOrder(place(another('A'), { response: response() }));
  const { orderId } = another('B');
  await store.reserveOrder(reserve(another('B'), { response: inFlight({ orderId, key: 'key-3' }) }));
  const clock = { now: moment };
  // Safe: only placing an order needs the rest.
  const deps = {
    store,
    worldClock: () => clock.now,
  } as Partial<PlaceOrderDependencies> as PlaceOrderDependencies;
  return { orders: createOrders(deps), store, clock };
}

describe('an order that is not paid in time', () => {
  it('expires an unpaid order on every read from its expiry on, and not before', async () => {
    const { order, get, clock } = await createTestService();
    const { orderId } = (await order()).json;
    clock.now += 30 * minute - 1;
    expect((await get(`/invoice/${orderId}/payment-status`)).json.data).toMatchObject({
      payment_status: 'UNPAID',
      buy_status: 'Pending',
    });
    clock.now += 1;
    expect((await get(`/invoice/${orderId}/payment-status`)).json.data).toMatchObject({
      payment_status: 'EXPIRED',
      buy_status: 'Batal',
    });
    expect((await get(`/invoice/${orderId}`)).json.order).toMatchObject({
      payment_status: 'EXPIRED',
      buy_status: 'Batal',
    });
  });

  it('releases the promo use of an expired order', async () => {
    const { order, get, clock } = await createTestService({ catalog: catalogWithSingleUse() });
    const { orderId } = (await order()).json;
    expect((await order()).json.message).toBe(errors.PROMO_QUOTA.message.id);
    clock.now += 30 * minute;
    await get(`/invoice/${orderId}`);
    expect((await order()).status).toBe(201);
  });

  it('expires an order once, even under many concurrent reads', async () => {
    const { order, get, clock, store } = await createTestService();
    const { orderId } = (await order()).json;
    clock.now += 31 * minute;
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => get(`/invoice/${orderId}/payment-status`)),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(await store.countPromoUses('RAMADAN10', '6281234567890')).toEqual({ total: 0, byCustomer: 0 });
  });

  it("expires an order on a read only for the order's account", async () => {
    const { orders, clock } = await ordersOf();
    const { orderId, expiresAt } = another('A');
    expect(await orders.find('other', orderId)).toBeNull();
    clock.now = expiresAt;
    expect(await orders.find('other', orderId)).toBeNull();
    expect(await orders.find('shop', orderId)).toMatchObject({ paymentStatus: 'EXPIRED' });
    expect(await orders.find('shop', 'INV-nobody')).toBeNull();
  });

  it('expires an order when its payment page is read, and when the clock reaches its expiry', async () => {
    const { orders, store, clock } = await ordersOf();
    const { orderId, payment, expiresAt } = another('A');
    const read = () => orders.findByPage(payment.reference);
    clock.now = expiresAt - 1;
    expect(await read()).toMatchObject({ orderId, paymentStatus: 'UNPAID' });
    clock.now = expiresAt;
    expect(await read()).toEqual(await store.findOrder(orderId));
    expect(await store.findHistory(orderId)).toMatchObject([
      { event: 'expired', by: 'clock', at: expiresAt },
    ]);
    expect(await orders.findByPage('nothing')).toBeNull();
  });
});

describe('an idempotency key', () => {
  it.each([
    ['key-1', 'print-1', 'shop', { orderId: another('A').orderId, replayed: true }],
    ['key-2', 'print-1', 'shop', null],
    ['key-1', 'print-1', 'other', null],
    ['key-1', 'print-2', 'shop', 'IDEMPOTENCY_CONFLICT'],
    ['key-3', 'print-1', 'shop', 'IDEMPOTENCY_IN_FLIGHT'],
  ])(
    'looks up an idempotency key %s with the payload %s of the account %s: %o',
    async (key, fingerprint, account, expected) => {
      const { orders } = await ordersOf();
      const found = orders.findIdempotentResponse(account, { key, fingerprint });
      if (typeof expected === 'string') await expect(found).rejects.toMatchObject({ code: expected });
      else expect(await found).toEqual(expected && expect.objectContaining(expected));
    },
  );

  it('accepts a payload of any depth', async () => {
    const { send } = await createTestService();
    const deep = `{"id":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const headers = { 'Idempotency-Key': 'deep', 'Content-Type': 'application/json' };
    const response = await send('/order', { method: 'POST', body: deep, headers });
    expect(response.status).toBe(422);
    expect(response.json.errors.id).toEqual(['The id field must be a string.']);
  });

  it('replays the response for 30 days of world time, and after that names the order', async () => {
    const { order, clock } = await createTestService();
    const headers = { 'Idempotency-Key': 'order-1' };
    const first = await order(fixtureOrder, { headers });
    clock.now += 30 * 24 * 60 * minute - 1;
    const replayed = await order(fixtureOrder, { headers });
    expect(replayed.text).toBe(first.text);
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    clock.now += 1;
    const later = await order(fixtureOrder, { headers: { ...headers, 'Accept-Language': 'en' } });
    expect(later.status).toBe(409);
    expect(later.json).toEqual({
      success: false,
      message: `This Idempotency-Key was already used for the order ${first.json.orderId}.`,
      orderId: first.json.orderId,
    });
  });

  it('places one order for a hundred concurrent requests, with the same response', async () => {
    const { order } = await createTestService();
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => order(fixtureOrder, { headers: { 'Idempotency-Key': 'order-1' } })),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
    expect(responses.filter(({ headers }) => headers.get('Idempotency-Replayed') === null)).toHaveLength(1);
  });

  it('scopes an idempotency key to the account, not to the API key', async () => {
    const { order, keyOf } = await createTestService();
    const headers = { 'Idempotency-Key': 'order-1' };
    const [old, rotated, stranger] = [await keyOf('shop'), await keyOf('shop'), await keyOf('other')];
    const first = await order(fixtureOrder, { headers, key: old });
    expect((await order(fixtureOrder, { headers, key: rotated })).text).toBe(first.text);
    expect((await order(fixtureOrder, { headers, key: stranger })).json.orderId).not.toBe(first.json.orderId);
  });

  it('checks the key before a promo code that the same simultaneous request has used up', async () => {
    const { promise: placed, resolve } = Promise.withResolvers<void>();
    let counts = 0;
    const { order } = await createTestService({
      catalog: catalogWithSingleUse(),
      store: (memory) => ({
        ...memory,
        // Both requests have found the key free by then.
        async countPromoUses(...use) {
          counts += 1;
          if (counts === 2) await placed;
          return memory.countPromoUses(...use);
        },
      }),
    });
    const send = (body: object = fixtureOrder) =>
      order(body, { headers: { 'Idempotency-Key': 'double click' } });
    const [first, same] = [send(), send()];
    const { status, text } = await first;
    resolve();
    expect(status).toBe(201);
    expect(await same).toMatchObject({ status: 201, text });
  });

  it('keeps the key free when the order is rejected', async () => {
    const { order } = await createTestService();
    const headers = { 'Idempotency-Key': 'order-1' };
    expect((await order({ ...fixtureOrder, product_id: 999_999 }, { headers })).status).toBe(404);
    const second = await order(fixtureOrder, { headers });
    expect(second.status).toBe(201);
    expect(second.headers.get('Idempotency-Replayed')).toBeNull();
  });
});

describe('the limits of a payment method', () => {
  it.each([
    [40_000, 40_000, null],
    [40_001, 5_000_000, 'PAYMENT_LIMIT'],
    [1_000, 39_999, 'PAYMENT_LIMIT'],
  ])(
    'applies limits of %i to %i: an order of 40,000 has the error code %s',
    async (minimum_amount, maximum_amount, code) => {
      const catalog = sandboxCatalog();
      const payment_methods = catalog.payment_methods.map((method) => ({
        ...method,
        minimum_amount,
        maximum_amount,
      }));
      const { order } = await createTestService({ catalog: { ...catalog, payment_methods } });
      expect((await order()).headers.get('X-Error-Code')).toBe(code);
    },
  );

  it('shows the limits in the error message', async () => {
    const { order } = await createTestService({ settings: { locale: 'en' } });
    const cheap = { game: 'free-fire', product_id: 1202, payment_method_id: 13, promo_code: undefined };
    expect((await order({ ...fixtureOrder, ...cheap })).json.message).toBe(
      'The total paid with BRI Virtual Account must be between Rp 10,000 and Rp 10,000,000.',
    );
  });
});

describe('unique codes of bank transfers', () => {
  const transfer = { ...fixtureOrder, payment_method_id: 21 };

  it('uses different codes for unpaid orders with equal totals', async () => {
    const { order } = await createTestService();
    const codes = new Set<number>();
    for (let count = 0; count < 60; count += 1)
      codes.add((await order(transfer)).json.data.pricing.unique_code);
    expect(codes.size).toBe(60);
    expect(Math.min(...codes)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...codes)).toBeLessThanOrEqual(999);
  });

  it("tries all codes within the method's limits, and rejects the order if all are taken", async () => {
    const tried: number[] = [];
    const catalog = sandboxCatalog();
    // The total is 40,000 and the code.
    const payment_methods = catalog.payment_methods.map((one) => ({ ...one, maximum_amount: 40_003 }));
    const { order } = await createTestService({
      catalog: { ...catalog, payment_methods },
      store: (store) => ({
        ...store,
        async placeOrder({ order: { pricing } }) {
          tried.push(pricing.unique_code);
          return { conflict: 'code_taken' };
        },
      }),
    });
    const rejected = await order(transfer);
    expect(rejected.status).toBe(422);
    expect(rejected.headers.get('X-Error-Code')).toBe('PAYMENT_METHOD_BUSY');
    expect(tried.sort()).toEqual([1, 2, 3]);
  });

  it('never rejects a repeated request because of codes that the first request took', async () => {
    const catalog = sandboxCatalog();
    // Room for the code 1.
    const payment_methods = catalog.payment_methods.map((one) => ({ ...one, maximum_amount: 40_001 }));
    const { order } = await createTestService({
      catalog: { ...catalog, payment_methods },
      store: (memory) => ({
        ...memory,
        async placeOrder(command) {
          const placed = await memory.placeOrder(command);
          return command.order.pricing.unique_code === 1 && !('conflict' in placed)
            ? { conflict: 'code_taken' }
            : placed;
        },
      }),
    });
    const placed = await order(transfer, { headers: { 'Idempotency-Key': 'key-1' } });
    expect(placed.status).toBe(201);
    expect(placed.headers.get('Idempotency-Replayed')).toBe('true');
  });

  it('sends the store two commands to reject an order, and three to find the last free code', async () => {
    const commands: string[] = [];
    const catalog = sandboxCatalog();
    // Room for the codes 1 to 99.
    const payment_methods = catalog.payment_methods.map((one) => ({ ...one, maximum_amount: 40_099 }));
    const { order, store } = await createTestService({
      catalog: { ...catalog, payment_methods },
      store: (memory) => ({
        ...memory,
        async placeOrder(command) {
          commands.push('place');
          return memory.placeOrder(command);
        },
        async findTakenTotals(...range) {
          commands.push('find');
          return memory.findTakenTotals(...range);
        },
      }),
    });
    const placed: string[] = [];
    for (let count = 0; count < 99; count += 1) placed.push((await order(transfer)).json.orderId);
    commands.length = 0;
    expect((await order(transfer)).headers.get('X-Error-Code')).toBe('PAYMENT_METHOD_BUSY');
    expect(commands).toEqual(['place', 'find']);

    const freed = await store.findOrder(placed[50] ?? '');
    const to = { paymentStatus: 'EXPIRED', buyStatus: 'Batal' } as const;
    await store.changeOrder(change({ orderId: placed[50] ?? '', to }));
    commands.length = 0;
    const { json } = await order(transfer);
    expect(json.data.pricing.unique_code).toBe(freed?.pricing.unique_code);
    expect(commands.length).toBeLessThanOrEqual(3);
  });

  it("chooses a code that keeps the total within the method's limits, if possible", async () => {
    const { order } = await createTestService();
    // The total is 9,700; with a unique code from 300 on it reaches the method's minimum of 10,000.
    const small = { ...transfer, game: 'free-fire', product_id: 1204, quantity: 1, promo_code: undefined };
    for (let count = 0; count < 40; count += 1) {
      const { status, json } = await order(small);
      expect(status).toBe(201);
      expect(json.data.total_price).toBeGreaterThanOrEqual(10_000);
    }
    const tiny = { ...small, payment_method_id: 21, product_id: 1202 };
    expect((await order(tiny)).headers.get('X-Error-Code')).toBe('PAYMENT_LIMIT');
  });
});
