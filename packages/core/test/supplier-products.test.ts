import { describe, expect, it } from 'vitest';
import { errors } from '../src/contract/index.ts';
import { findAlerts } from '../src/features/index.ts';
import {
  type CatalogGame,
  type CatalogProduct,
  emptyCatalog,
  type Store,
  type WorkLease,
} from '../src/features/store.ts';
import { createSimulatedGateway, type PaymentGateway } from '../src/gateway/index.ts';
import { secureRandom } from '../src/platform/index.ts';
import type { Supplier, SupplierProduct } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';
import { createTestService, fixtureOrder, type TestServiceOptions } from './helpers/test-service.ts';

const minute = 60_000;
const one = { ...fixtureOrder, quantity: 1, promo_code: undefined };
const closed = { status: 404, json: { success: false, message: errors.PRODUCT_CLOSED.message.id } };
const soldOut = { status: 404, json: { success: false, message: errors.PRODUCT_OUT_OF_STOCK.message.id } };

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
  options: Omit<TestServiceOptions, 'supplier'> = {},
) {
  const supplier = {
    list: async (): Promise<SupplierProduct[]> => [{ ...ml86, ...product }],
    asked: [] as number[],
  };
  const service = await createTestService({
    ...options,
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
  ])('places an order for a product that is %s', async (_what, product) => {
    const { order, get } = await startWith(product);
    expect((await order(one)).status).toBe(201);
    expect(statusOf(await get('/games/mobile-legends'))).toBe(true);
  });

  it.each([
    ['not available', { isAvailable: false }, closed],
    ['sold out', { stock: 0 }, soldOut],
    ['paused', { pause: { from: Date.UTC(2026, 2, 28, 3), until: Date.UTC(2026, 2, 28, 3, 1) } }, closed],
    ['not in its list', { code: 'ML87' }, closed],
  ])('rejects an order, and shows the product as closed, if it is %s', async (_what, product, rejection) => {
    const { order, send, get } = await startWith(product);
    expect(await order(one)).toMatchObject(rejection);
    for (const path of ['/games/mobile-legends', '/order/mobile-legends'])
      expect(statusOf(await get(path)), path).toBe(false);
    // Rejected where a closed product is: before the payment method.
    expect(await order({ ...one, payment_method_id: 999 })).toMatchObject(rejection);
    const promo = await send('/promo/validate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code: 'X', game_slug: one.game, product_id: 901, payment_method_id: 12 }),
    });
    expect(promo).toMatchObject(rejection);
  });

  it('places an order again after the pause', async () => {
    const pause = { from: Date.UTC(2026, 2, 28, 2), until: Date.UTC(2026, 2, 28, 3, 2) };
    const { order, clock } = await startWith({ pause });
    expect(await order(one)).toMatchObject(closed);
    clock.now = pause.until;
    expect((await order(one)).status).toBe(201);
  });

  it('rejects an order for more units than in stock', async () => {
    const { order } = await startWith({ stock: 3 });
    const four = await order({ ...one, quantity: 4 });
    expect(four.status).toBe(422);
    expect(four.json.errors).toEqual({ quantity: ['The quantity field must not be greater than 3.'] });
    expect((await order({ ...one, quantity: 3 })).status).toBe(201);
  });

  it("places an order before the supplier's first list, or without a list", async () => {
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
  it('reads the list of products at the start and every ten minutes', async () => {
    const { pass, supplierOf, order } = await startWith();
    const start = supplierOf.asked[0] ?? 0;
    supplierOf.list = async () => [];
    await pass(9 * minute);
    expect((await order(one)).status).toBe(201);
    await pass(2 * minute);
    expect(supplierOf.asked).toEqual([start, start + 10 * minute]);
    expect(await order(one)).toMatchObject(closed);
  });

  it('reads the list as often as the supplier allows', async () => {
    const { pass, supplierOf } = await startWith({}, { productsIntervalMs: 25 * minute });
    await pass(55 * minute);
    expect(supplierOf.asked).toHaveLength(3);
  });

  it("reads the store's list again after ten minutes, on one of several servers", async () => {
    const claims = new Map<string, WorkLease>();
    const store = (real: Store): Store => ({
      ...real,
      // As a store of several servers does.
      async claimWork(names, claim, now) {
        const free = names.filter((name) => {
          const { by, until } = claims.get(name) ?? { by: claim.by, until: 0 };
          return by === claim.by || until <= now;
        });
        for (const name of free) claims.set(name, claim);
        return free;
      },
    });
    const first = await startWith({ stock: 0 }, {}, { store, serverId: 'first' });
    const { clock } = first;
    const sameStore = { store, after: first.store, now: clock.now };
    const second = await startWith({ stock: 0 }, {}, { ...sameStore, serverId: 'second' });
    expect(await second.order(one)).toMatchObject(soldOut);
    for (let minutes = 0; minutes < 30; minutes += 1) {
      for (const { clock, engine } of [first, second]) {
        clock.now += minute;
        await engine.dueWork.run();
      }
    }
    expect(first.supplierOf.asked.length + second.supplierOf.asked.length).toBe(4);
  });

  it('lets no second server read a list while the first server reads it slowly, unless the first server is gone', async () => {
    let claim: WorkLease | null = null;
    const store = (real: Store): Store => ({
      ...real,
      async claimWork(names, wanted, now) {
        if (claim && claim.by !== wanted.by && claim.until > now) return [];
        claim = wanted;
        return [...names];
      },
    });
    const hanging = { readProducts: () => new Promise<never>(() => {}) };
    const first = await startWith({}, hanging, { store, serverId: 'first' });
    const sameStore = { store, after: first.store, now: first.clock.now, serverId: 'second' };
    const { supplierOf, pass } = await startWith({}, {}, sameStore);
    expect(supplierOf.asked).toEqual([]);
    await pass(minute);
    expect(supplierOf.asked).toEqual([]);
    await pass(minute);
    expect(supplierOf.asked).toHaveLength(1);
  });

  it('uses the list after a restart, and reads a newer list when it is ten minutes old', async () => {
    const before = await startWith({ stock: 0 });
    await before.pass(4 * minute);
    const after = { after: before.store, now: before.clock.now };
    // A request that comes before any other work.
    const atOnce = await createTestService({ supplier: supplierThat({}), ...after });
    expect(await atOnce.order(one)).toMatchObject(soldOut);

    const { supplierOf, pass, order } = await startWith({}, {}, after);
    await pass(5 * minute);
    expect(supplierOf.asked).toEqual([]);
    expect(await order(one)).toMatchObject(soldOut);
    await pass(minute);
    expect(supplierOf.asked).toHaveLength(1);
    expect((await order(one)).status).toBe(201);
  });

  it("ignores another supplier's list", async () => {
    const { store, clock } = await startWith({ stock: 0 });
    const { order } = await startWith({}, { name: 'another' }, { after: store, now: clock.now });
    expect((await order(one)).status).toBe(201);
  });

  it('reads the list again when the supplier allows, and not ten minutes later', async () => {
    const { supplierOf, pass } = await startWith();
    supplierOf.list = () =>
      Promise.reject(Object.assign(new Error('too often'), { retryAfterMs: 5 * minute }));
    await pass(10 * minute);
    expect(supplierOf.asked).toHaveLength(2);
    await pass(4 * minute);
    expect(supplierOf.asked).toHaveLength(2);
    await pass(minute);
    expect(supplierOf.asked).toHaveLength(3);
  });

  it.each([
    ['at least a second', 0, 1_000],
    ['at most ten minutes', 365 * 24 * 60 * minute, 10 * minute],
  ])('reads the list again after %s, whatever an adapter says', async (_what, retryAfterMs, wait) => {
    const { supplierOf, pass, clock, engine } = await startWith();
    supplierOf.list = () => Promise.reject(Object.assign(new Error('too often'), { retryAfterMs }));
    await pass(10 * minute);
    clock.now += wait - 1;
    await engine.dueWork.run();
    expect(supplierOf.asked).toHaveLength(2);
    clock.now += 1;
    await engine.dueWork.run();
    expect(supplierOf.asked).toHaveLength(3);
  });

  it('reads the list when the clock was set back, because its age is unknown', async () => {
    const { supplierOf, pass, clock } = await startWith();
    await pass(minute);
    clock.now -= 60 * minute;
    await pass(minute);
    expect(supplierOf.asked).toHaveLength(2);
    await pass(9 * minute);
    expect(supplierOf.asked).toHaveLength(2);
  });

  it('uses a list for a day, and warns once when it is too old', async () => {
    const { supplierOf, pass, order, clock, engine, warned } = await startWith({ stock: 0 });
    supplierOf.list = () => Promise.reject(new Error('down'));
    clock.now += 24 * 60 * minute - 1;
    await engine.dueWork.run();
    expect(await order(one)).toMatchObject(soldOut);
    warned.length = 0;
    clock.now += 1;
    expect((await order(one)).status).toBe(201);
    await pass(3 * minute);
    expect(warned).toEqual([
      'The last list of the supplier test is over a day old, so the server ignores it: all active products are for sale.',
    ]);
  });

  it('keeps the list when the supplier fails, and reports the failure once until the supplier works again', async () => {
    const { pass, supplierOf, order, errors } = await startWith({ stock: 0 });
    supplierOf.list = () => Promise.reject(new Error('down'));
    await pass(45 * minute);
    expect(errors()).toEqual(['Error: down']);
    expect(await order(one)).toMatchObject(soldOut);
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

  it('names the invalid field of an unreadable list', async () => {
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

  it('rejects an order for more than one unit, before payment', async () => {
    const { order } = await startWith(onceADay);
    const two = await order({ ...one, quantity: 2 });
    expect(two.status).toBe(422);
    expect(two.json.errors).toEqual({ quantity: ['The quantity field must not be greater than 1.'] });
    expect((await order(one)).status).toBe(201);
  });

  it('rejects an order while another order for the same target may still be paid, in both languages', async () => {
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

  it('sells the product to other targets, and other products to the same target', async () => {
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

  it('sells the product again after the first order expired or failed, but not on its delivery day', async () => {
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

  it('counts the day of the purchase instead of the day of the order', async () => {
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

describe("a payment method that the gateway doesn't offer", () => {
  const gateway: PaymentGateway = {
    ...createSimulatedGateway({ clock: Date.now, random: secureRandom, pageUrl: (reference) => reference }),
    supports: ({ code }) => code !== 'QRIS',
  };

  it("closes a payment method that the gateway doesn't offer, and rejects orders with it", async () => {
    const { order, get } = await createTestService({ gateway });
    const { paymentMethods } = (await get('/order/mobile-legends')).json;
    const statusOf = (code: string) =>
      paymentMethods.find((method: { code: string }) => method.code === code).status;
    expect([statusOf('QRIS'), statusOf('BCAVA')]).toEqual([false, true]);
    expect(await order(one)).toMatchObject({
      status: 404,
      json: { message: 'Metode pembayaran ini sedang ditutup.' },
    });
  });
});

describe('a product that costs more than its price', () => {
  // It is sold for 22,000.
  const listed = (price: number) => async () => [{ ...ml86, price }];
  const cost = { supplier: 'test', because: 'cost', closed: [], reopened: [] };

  it.each([
    [22_000, 201, true],
    [22_001, 404, false],
  ])(
    'closes and rejects a product that costs more than its price: at %i it is %i',
    async (price, status, isOpen) => {
      const { order, get } = await startWith({ price });
      expect((await order(one)).status).toBe(status);
      for (const path of ['/games/mobile-legends', '/order/mobile-legends'])
        expect(statusOf(await get(path)), path).toBe(isOpen);
    },
  );

  it('closes a product by its promo_price while that price applies, and opens it again afterwards', async () => {
    const { store, order } = await startWith({ price: 20_000 });
    const change = async (over: Partial<CatalogProduct>): Promise<void> => {
      const catalog = (await store.readCatalog()) ?? emptyCatalog;
      const products = (game: CatalogGame) =>
        game.products.map((product) => (product.id === one.product_id ? { ...product, ...over } : product));
      const games = catalog.games.map((game) => ({ ...game, products: products(game) }));
      await store.replaceCatalog({ ...catalog, games });
    };
    await change({ promo_price: 19_999, is_promo: true });
    expect(await order(one)).toMatchObject(closed);
    await change({ promo_price: 19_999, is_promo: false });
    expect((await order(one)).status).toBe(201);
    await change({ promo_price: 20_000, is_promo: true });
    expect((await order(one)).status).toBe(201);
  });

  it('reports that a product closes, raises an alert, and reports that the product opens', async () => {
    const { pass, supplierOf, changed, store, clock } = await startWith({ price: 22_000 });
    const alerts = () => findAlerts(store, { now: clock.now, realNow: clock.now });
    expect([changed, await alerts()]).toEqual([[], []]);
    supplierOf.list = listed(22_500);
    await pass(25 * minute);
    expect(changed).toEqual([{ ...cost, closed: ['ML86 (cost 22,500, price 22,000)'] }]);
    expect(await alerts()).toEqual([
      {
        ...{ kind: 'products-below-cost', names: ['ML86'], subjects: ['ML86'], count: 1 },
        sentence: '1 product costs more than its price and is closed: ML86 (cost Rp 22,500, price Rp 22,000)',
      },
    ]);
    supplierOf.list = listed(21_000);
    await pass(25 * minute);
    expect(changed.slice(1)).toEqual([{ ...cost, reopened: ['ML86'] }]);
    expect(await alerts()).toEqual([]);
  });

  it("doesn't write the closing to the operator's catalogue", async () => {
    const { store } = await startWith({ price: 22_001 });
    const products = (await store.readCatalog())?.games.flatMap(({ products }) => products) ?? [];
    expect(products.find(({ id }) => id === one.product_id)).toMatchObject({ status: true });
  });

  it('sells a product without a supplier price', async () => {
    const { order } = await startWith();
    expect((await order(one)).status).toBe(201);
  });
});

describe('an order with a promo code', () => {
  // 22,000 and 2,000 less with RAMADAN10.
  const withPromo = { ...one, promo_code: 'RAMADAN10' };
  const promo = (get: Awaited<ReturnType<typeof startWith>>['send']) =>
    get('/promo/validate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        code: 'RAMADAN10',
        game_slug: one.game,
        product_id: 901,
        payment_method_id: 12,
      }),
    });
  const rejected = {
    status: 422,
    json: { success: false, message: 'Kode promo tidak berlaku untuk produk ini.' },
  };

  it.each([
    [20_000, 0],
    [20_500, 500],
  ])(
    'places an order at a cost of %i if the shop accepts a loss of %i per unit',
    async (price, promoMaxLoss) => {
      const { order, send } = await startWith({ price }, {}, { promoMaxLoss });
      expect((await order({ ...withPromo, quantity: 5 })).status).toBe(201);
      expect((await promo(send)).status).toBe(200);
    },
  );

  it.each([
    [20_001, 0],
    [20_501, 500],
  ])(
    'rejects an order at a cost of %i if the shop accepts a loss of %i per unit',
    async (price, promoMaxLoss) => {
      const { order, send } = await startWith({ price }, {}, { promoMaxLoss });
      const response = await order(withPromo);
      expect(response).toMatchObject(rejected);
      expect(response.headers.get('X-Error-Code')).toBe('PROMO_NOT_ELIGIBLE');
      expect(await promo(send)).toMatchObject(rejected);
      expect((await order(one)).status).toBe(201);
    },
  );
});
