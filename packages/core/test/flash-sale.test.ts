import { describe, expect, it } from 'vitest';
import { moment } from '../../suites/src/store/fixtures.ts';
import { readCatalogFile } from '../src/engine/catalog/file.ts';
import { productAt } from '../src/engine/catalog/sale-times.ts';
import { createCatalogReader } from '../src/engine/catalog/view.ts';
import { findBelowCost } from '../src/features/index.ts';
import { createMemoryStore } from '../src/features/store.ts';
import type { PaymentGateway } from '../src/gateway/index.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const iso = (at: number): string => new Date(at).toISOString();
const hour = 3_600_000;

const entry = (over: object) => ({
  ...{ id: 901, code: 'ML86', title: '86 Diamond', selling_price: 22_000, promo_price: 19_000 },
  ...over,
});

const fileWith = (product: object) => ({
  format: 'topup-kit/catalog@1',
  categories: [{ id: 1, title: 'MOBA' }],
  games: [
    {
      id: 1,
      slug: 'ml',
      title: 'ML',
      developers: 'x',
      brand: 'x',
      category_id: 1,
      products: [entry(product)],
    },
  ],
  payment_methods: [],
});

function catalogWith(product: object) {
  const read = readCatalogFile(fileWith(product));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.catalog;
}

const gateway: PaymentGateway = {
  ...{ kind: 'local', name: 'simulated', sandbox: true },
  createPayment: () => ({ reference: 'R', url: 'https://gateway.example/pay' }),
};

const span = { promo_from: iso(moment), promo_until: iso(moment + hour) };

describe('a flash sale', () => {
  it.each([true, false])('applies a flash sale exactly within its period, with is_promo %s', (is_promo) => {
    const [product] = catalogWith({ ...span, is_promo }).games[0]?.products ?? [];
    const at = (now: number) => {
      const { is_promo, promo_price } = productAt(product ?? expect.fail(), now);
      return [is_promo, promo_price];
    };
    expect(at(moment - 1)).toEqual([false, null]);
    expect(at(moment)).toEqual([true, 19_000]);
    expect(at(moment + hour - 1)).toEqual([true, 19_000]);
    expect(at(moment + hour)).toEqual([false, null]);
  });

  it('accepts a flash sale without a beginning or an end', () => {
    const isOn = (over: object, now: number) => {
      const [product] = catalogWith(over).games[0]?.products ?? [];
      return productAt(product ?? expect.fail(), now).is_promo;
    };
    const from = { promo_from: iso(moment), promo_until: null };
    expect([isOn(from, moment - 1), isOn(from, moment + 1_000 * hour)]).toEqual([false, true]);
    const until = { promo_until: iso(moment) };
    expect([isOn(until, 0), isOn(until, moment)]).toEqual([true, false]);
    expect([isOn({ is_promo: true }, moment), isOn({}, moment)]).toEqual([true, false]);
  });

  it('changes the catalogue with one read when a sale begins and ends, in both directions of the clock', async () => {
    const store = createMemoryStore();
    await store.replaceCatalog(catalogWith(span));
    let now = moment - 1;
    let reads = 0;
    const read = createCatalogReader({
      store: {
        ...store,
        readCatalog() {
          reads += 1;
          return store.readCatalog();
        },
      },
      gateway,
      supplier: { name: 'depot' },
      worldClock: () => now,
      realClock: () => now,
    });
    const isOn = async (at: number) => {
      now = at;
      return (await read()).productById.get(901)?.product.is_promo;
    };
    const seen = [];
    for (const at of [moment - 1, moment, moment + hour - 1, moment + hour, moment, moment - 1])
      seen.push(await isOn(at));
    expect(seen).toEqual([false, true, true, false, true, false]);
    now = moment;
    expect(await read()).toBe(await read());
    expect(reads).toBe(1);
  });

  it("changes the game's page, its version and order prices when a sale begins and ends", async () => {
    const sandbox = sandboxCatalog();
    const sale = { promo_price: 19_000, ...span };
    const games = sandbox.games.map((game) => ({
      ...game,
      products: game.products.map((product) => (product.id === 901 ? { ...product, ...sale } : product)),
    }));
    const service = await createTestService({ catalog: { ...sandbox, games }, now: moment - 1 });
    const seen = async (now: number) => {
      service.clock.now = now;
      const { json, headers } = await service.get('/games/mobile-legends');
      const { promo_price } = json.data.products.find(({ id }: { id: number }) => id === 901);
      const { json: placed } = await service.order({ ...fixtureOrder, promo_code: null });
      return [promo_price, placed.data.pricing.unit_price_before_promo, headers.get('ETag')];
    };
    const before = await seen(moment - 1);
    const during = await seen(moment);
    expect([before.slice(0, 2), during.slice(0, 2)]).toEqual([
      [null, 22_000],
      [19_000, 19_000],
    ]);
    expect(during[2]).not.toBe(before[2]);
    expect(await seen(moment + hour - 1)).toEqual(during);
    expect(await seen(moment + hour)).toEqual(before);
  });

  it('includes a sale in cost checks only during its period', async () => {
    const store = createMemoryStore();
    await store.replaceCatalog(catalogWith(span));
    const listed = { isAvailable: true, stock: null, isOncePerDay: false, pause: null };
    const products = [{ ...listed, code: 'ML86', price: 20_000 }];
    await store.saveSupplierList({ supplier: 'depot', readAt: moment, products });
    const found = async (now: number) =>
      (await findBelowCost(store, moment, now)).map(({ cost, price }) => [cost, price]);
    expect(await found(moment - 1)).toEqual([]);
    expect(await found(moment)).toEqual([[20_000, 19_000]]);
    expect(await found(moment + hour)).toEqual([]);
  });

  it.each([
    ['promo_until', 'must be later than promo_from', { ...span, promo_until: span.promo_from }],
    ['promo_price', 'must be set when promo_from or promo_until is', { ...span, promo_price: null }],
    ['promo_from', 'Invalid ISO datetime', { promo_from: 'tomorrow' }],
    ['promo_from', 'Invalid ISO datetime', { promo_from: '2026-08-02T10:00:00' }],
  ])('rejects a flash sale with an invalid %s: %s', (field, rule, over) => {
    expect(readCatalogFile(fileWith(over))).toEqual({
      problems: [{ path: `games[0].products[0].${field}`, rule }],
    });
  });
});
