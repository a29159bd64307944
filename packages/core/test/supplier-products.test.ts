import { describe, expect, it } from 'vitest';
import { createSimulatedGateway, type PaymentGateway } from '../src/gateway/index.ts';
import { secureRandom } from '../src/platform/index.ts';
import type { Supplier, SupplierProduct } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;
const one = { ...fixtureOrder, quantity: 1, promo_code: undefined };
const notFound = { status: 404, json: { success: false, message: 'Produk tidak ditemukan.' } };

const ml86: SupplierProduct = {
  code: 'ML86',
  isAvailable: true,
  stock: null,
  isOncePerDay: false,
  pause: null,
};

/** The status of the product in a game or its checkout, as clients see it. */
const statusOf = ({ json: { data, game } }: { json: ReturnType<typeof JSON.parse> }): boolean =>
  (data ?? game).products.find(({ id }: { id: number }) => id === one.product_id).status;

/** A service whose supplier has ML86 as the test describes it, and has been asked for its products. */
async function startWith(
  product: Partial<SupplierProduct> = {},
  over: Partial<Supplier> = {},
  countServers = () => 1,
) {
  const supplier = {
    list: async (): Promise<SupplierProduct[]> => [{ ...ml86, ...product }],
    asked: [] as number[],
  };
  const service = await createTestService({
    countServers,
    supplier: supplierThat({
      readProducts() {
        supplier.asked.push(service.clock.now);
        return supplier.list();
      },
      submit: async ({ reference }) => ({ state: 'delivered', serialNumber: reference }),
      ...over,
    }),
  });
  /** Lets time pass in steps of a minute, as a running server does its work. */
  async function pass(duration: number): Promise<void> {
    const end = service.clock.now + duration;
    while (service.clock.now < end) {
      service.clock.now += minute;
      await service.engine.dueWork.run();
    }
  }
  await service.engine.dueWork.run();
  const errors = () => service.reported.map(String);
  return { ...service, supplierOf: supplier, pass, errors };
}

describe('an order for a product of the supplier', () => {
  it.each([
    ['available', {}],
    ['in stock', { stock: 1 }],
    ['paused later', { pause: { from: Date.UTC(2026, 2, 28, 4), until: Date.UTC(2026, 2, 28, 5) } }],
    ['paused earlier', { pause: { from: Date.UTC(2026, 2, 28, 2), until: Date.UTC(2026, 2, 28, 3) } }],
  ])('is placed when it is %s', async (_what, product) => {
    const { order, get } = await startWith(product);
    expect((await order(one)).status).toBe(201);
    expect(statusOf(await get('/games/mobile-legends'))).toBe(true);
  });

  it.each([
    ['not available', { isAvailable: false }],
    ['sold out', { stock: 0 }],
    ['paused', { pause: { from: Date.UTC(2026, 2, 28, 3), until: Date.UTC(2026, 2, 28, 3, 1) } }],
    ['not in its list', { code: 'ML87' }],
  ])(
    'is rejected like one for a closed product, and the product shown as one, when it is %s',
    async (_what, product) => {
      const { order, send, get } = await startWith(product);
      expect(await order(one)).toMatchObject(notFound);
      for (const path of ['/games/mobile-legends', '/order/mobile-legends'])
        expect(statusOf(await get(path)), path).toBe(false);
      // Rejected where a closed product is: before the payment method.
      expect(await order({ ...one, payment_method_id: 999 })).toMatchObject(notFound);
      const promo = await send('/promo/validate', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ code: 'X', game_slug: one.game, product_id: 901, payment_method_id: 12 }),
      });
      expect(promo).toMatchObject(notFound);
    },
  );

  it('is placed again when the pause is over', async () => {
    const pause = { from: Date.UTC(2026, 2, 28, 2), until: Date.UTC(2026, 2, 28, 3, 2) };
    const { order, clock } = await startWith({ pause });
    expect(await order(one)).toMatchObject(notFound);
    clock.now = pause.until;
    expect((await order(one)).status).toBe(201);
  });

  it('is rejected for more than there are', async () => {
    const { order } = await startWith({ stock: 3 });
    const four = await order({ ...one, quantity: 4 });
    expect(four.status).toBe(422);
    expect(four.json.errors).toEqual({ quantity: ['The quantity field must not be greater than 3.'] });
    expect((await order({ ...one, quantity: 3 })).status).toBe(201);
  });

  it('is placed while the supplier has not said anything, or has no list', async () => {
    const { order } = await createTestService({
      supplier: supplierThat({ readProducts: () => new Promise(() => {}) }),
    });
    expect((await order(one)).status).toBe(201);
    const without = await createTestService({ supplier: supplierThat({}) });
    await without.engine.dueWork.run();
    expect((await without.order(one)).status).toBe(201);
  });
});

describe('the list of products', () => {
  it('is read at the start and every ten minutes', async () => {
    const { pass, supplierOf, order } = await startWith();
    const start = supplierOf.asked[0] ?? 0;
    supplierOf.list = async () => [];
    await pass(9 * minute);
    expect((await order(one)).status).toBe(201);
    await pass(2 * minute);
    expect(supplierOf.asked).toEqual([start, start + 10 * minute]);
    expect(await order(one)).toMatchObject(notFound);
  });

  it('is read as often as the supplier allows', async () => {
    const { pass, supplierOf } = await startWith({}, { productsIntervalMs: 25 * minute });
    await pass(55 * minute);
    expect(supplierOf.asked).toHaveLength(3);
  });

  it('is read by each of several servers so seldom that all of them together keep to what the supplier allows', async () => {
    let servers = 3;
    const { pass, supplierOf } = await startWith({}, { productsIntervalMs: 10 * minute }, () => servers);
    await pass(29 * minute);
    expect(supplierOf.asked).toHaveLength(1);
    await pass(minute);
    expect(supplierOf.asked).toHaveLength(2);
    servers = 1;
    await pass(10 * minute);
    expect(supplierOf.asked).toHaveLength(3);
  });

  it('stays when the supplier fails, which is reported once until it works again', async () => {
    const { pass, supplierOf, order, errors } = await startWith({ stock: 0 });
    supplierOf.list = () => Promise.reject(new Error('down'));
    await pass(45 * minute);
    expect(errors()).toEqual(['Error: down']);
    expect(await order(one)).toMatchObject(notFound);
    supplierOf.list = async () => [{ ...ml86, stock: -1 }];
    await pass(10 * minute);
    expect(errors()).toHaveLength(1);
    supplierOf.list = async () => [ml86];
    await pass(10 * minute);
    expect((await order(one)).status).toBe(201);
    supplierOf.list = () => {
      throw new Error('down again');
    };
    await pass(20 * minute);
    expect(errors()).toEqual(['Error: down', 'Error: down again']);
  });

  it('names the field that is wrong, when it makes no sense', async () => {
    // Safe: an adapter without types can return anything.
    const list = [{ ...ml86, isAvailable: 'yes' }] as unknown as SupplierProduct[];
    const service = await createTestService({ supplier: supplierThat({ readProducts: async () => list }) });
    await service.engine.dueWork.run();
    expect(String(service.reported[0])).toContain('readProducts returned an invalid result.0.isAvailable');
  });
});

describe('a product that is sold once per target and day', () => {
  // 10:00 in Jakarta; the supplier's day began at 00:00 there.
  const morning = Date.UTC(2026, 2, 28, 3);
  const onceADay = { isOncePerDay: true };

  it('is rejected for more than one, before anything is paid', async () => {
    const { order } = await startWith(onceADay);
    const two = await order({ ...one, quantity: 2 });
    expect(two.status).toBe(422);
    expect(two.json.errors).toEqual({ quantity: ['The quantity field must not be greater than 1.'] });
    expect((await order(one)).status).toBe(201);
  });

  it('is rejected while another order for the same target may still be paid, with a message in both languages', async () => {
    const { order } = await startWith(onceADay);
    await order(one);
    expect(await order(one)).toMatchObject({
      status: 422,
      json: { errors: { id: ['This product can be bought only once a day for the same id.'] } },
    });
    const indonesian = await order(one, { headers: { 'Accept-Language': 'id' } });
    expect(indonesian.json.errors).toEqual({
      id: ['Produk ini hanya dapat dibeli sekali sehari untuk id yang sama.'],
    });
  });

  it('is sold to other targets, and other products to the same target', async () => {
    const { order, supplierOf, pass } = await startWith(onceADay);
    supplierOf.list = async () => [
      { ...ml86, ...onceADay },
      { ...ml86, ...onceADay, code: 'ML172' },
    ];
    await pass(11 * minute);
    await order(one);
    expect((await order({ ...one, server: '2013' })).status).toBe(201);
    expect((await order({ ...one, id: '87654321' })).status).toBe(201);
    expect((await order({ ...one, product_id: 906 })).status).toBe(201);
    expect((await order(one)).status).toBe(422);
  });

  it('is sold again when the first order expired or failed, but not on the day of its delivery', async () => {
    const { order, sandbox, clock, pass, store } = await startWith(onceADay);
    const expired = (await order(one)).json.orderId;
    await pass(31 * minute);
    expect(await store.findOrder(expired)).toMatchObject({ paymentStatus: 'EXPIRED' });

    const { orderId } = (await order(one)).json;
    await sandbox.act(orderId, 'pay');
    await pass(minute);
    expect(await store.findOrder(orderId)).toMatchObject({ buyStatus: 'Sukses' });
    expect((await order(one)).status).toBe(422);
    // Midnight in Jakarta is 17:00 UTC.
    clock.now = morning + 14 * 60 * minute - 1;
    expect((await order(one)).status).toBe(422);
    clock.now += 1;
    expect((await order(one)).status).toBe(201);
  });

  it('counts on the day when it was bought, not on that of the order', async () => {
    const { order, sandbox, clock, pass, store } = await startWith(onceADay);
    clock.now = morning + 14 * 60 * minute - 5 * minute;
    const { orderId } = (await order(one)).json;
    clock.now += 10 * minute;
    expect((await order(one)).status).toBe(422);
    await sandbox.act(orderId, 'pay');
    await pass(minute);
    expect(await store.findOrder(orderId)).toMatchObject({ buyStatus: 'Sukses' });
    expect((await order(one)).status).toBe(422);
  });
});

describe('a payment method that the gateway does not take', () => {
  const gateway: PaymentGateway = {
    ...createSimulatedGateway({ clock: Date.now, random: secureRandom, pageUrl: (reference) => reference }),
    supports: ({ code }) => code !== 'QRIS',
  };

  it('is shown as closed, and orders with it are rejected like those with a closed one', async () => {
    const { order, get } = await createTestService({ gateway });
    const { paymentMethods } = (await get('/order/mobile-legends')).json;
    const statusOf = (code: string) =>
      paymentMethods.find((method: { code: string }) => method.code === code).status;
    expect([statusOf('QRIS'), statusOf('BCAVA')]).toEqual([false, true]);
    expect(await order(one)).toMatchObject({
      status: 404,
      json: { message: 'Metode pembayaran tidak ditemukan.' },
    });
  });
});
