import { expect, it } from 'vitest';
import { moment, promo } from '../../suites/src/store/fixtures.ts';
import { findAlerts, findBelowCost, findPromoLosses } from '../src/features/index.ts';
import {
  type CatalogGame,
  type CatalogProduct,
  createMemoryStore,
  type Promo,
  type SupplierProduct,
} from '../src/features/store.ts';

const day = 86_400_000;

const product = (code: string, over: Partial<CatalogProduct> = {}): CatalogProduct => ({
  ...{ id: Number(code), code: `P${code}`, supplier_code: `s${code}`, title: 'x', category: null },
  ...{ image: null, selling_price: 1_000, promo_price: null, is_promo: false, status: true },
  ...over,
});

const game = (id: number, products: CatalogProduct[], over: Partial<CatalogGame> = {}): CatalogGame => ({
  ...{ id, slug: `game-${id}`, title: 'x', developers: 'x', brand: 'x', category_id: 1, description: '' },
  ...{ image: null, banner: null, status: true, hidden: false, populer: false, sort: 0, target: null },
  ...{ fields: [{ name: 'id', label: 'x', required: true }], products },
  ...over,
});

const listed = (code: string, price: number, over: Partial<SupplierProduct> = {}): SupplierProduct => ({
  ...{ code: `s${code}`, price, isAvailable: true, stock: null, isOncePerDay: false, pause: null },
  ...over,
});

/** A store with these games, and a list that was read at {@link moment}. */
async function storeWith(games: CatalogGame[], products: SupplierProduct[]) {
  const store = createMemoryStore();
  await store.replaceCatalog({ categories: [{ id: 1, title: 'x' }], games, payment_methods: [], promos: [] });
  await store.saveSupplierList({ supplier: 'depot', readAt: moment, products });
  return store;
}

it("reports a product's cost only if both the operator and the supplier offer the product", async () => {
  const store = await storeWith(
    [
      game(1, [
        product('1'),
        product('2'),
        product('3', { status: false }),
        product('4', { is_promo: true, promo_price: 899 }),
        product('5', { is_promo: false, promo_price: 899 }),
        product('6'),
        product('7'),
      ]),
      game(2, [product('8')], { status: false }),
      game(3, [product('9')], { hidden: true }),
    ],
    [
      listed('1', 1_000),
      listed('2', 1_001),
      listed('3', 9_000),
      listed('4', 900),
      listed('5', 900),
      listed('6', 9_000, { isAvailable: false }),
      ...['8', '9'].map((code) => listed(code, 9_000)),
    ],
  );
  const found = await findBelowCost(store, moment);
  expect(found.map(({ product: { code }, cost, price }) => [code, cost, price])).toEqual([
    ['P2', 1_001, 1_000],
    ['P4', 900, 899],
  ]);
});

it("applies the newest list's costs for a day, and changes to the catalogue", async () => {
  const store = await storeWith([game(1, [product('1')])], [listed('1', 1_001)]);
  const codes = async (now: number) => (await findBelowCost(store, now)).map(({ product }) => product.code);
  expect(await codes(moment + day - 1)).toEqual(['P1']);
  expect(await codes(moment + day)).toEqual([]);
  await store.saveSupplierList({ supplier: 'other', readAt: moment + 1, products: [listed('1', 1_000)] });
  expect(await codes(moment + 1)).toEqual([]);
  await store.saveSupplierList({ supplier: 'depot', readAt: moment + 2, products: [listed('1', 1_002)] });
  expect(await codes(moment + 2)).toEqual(['P1']);
  const games = [game(1, [product('1', { selling_price: 1_002 })])];
  await store.replaceCatalog({ categories: [], games, payment_methods: [], promos: [] });
  expect(await codes(moment + 2)).toEqual([]);
});

it('reads a large list once for many cost checks', async () => {
  const store = await storeWith([game(1, [product('1')])], [listed('1', 1_001)]);
  let reads = 0;
  const counted = {
    ...store,
    readSupplierLists() {
      reads += 1;
      return store.readSupplierLists();
    },
  };
  for (let look = 0; look < 3; look += 1) await findBelowCost(counted, moment);
  expect(reads).toBe(1);
});

it('lists ten products with their amounts in the alert, and counts all products', async () => {
  const codes = Array.from({ length: 12 }, (_, index) => `${index + 1}`);
  const store = await storeWith(
    [
      game(
        1,
        codes.map((code) => product(code)),
      ),
    ],
    codes.map((code) => listed(code, 23_000)),
  );
  const [alert, ...others] = await findAlerts(store, { now: moment, realNow: moment });
  expect(others).toEqual([]);
  expect(alert).toMatchObject({ kind: 'products-below-cost', count: 12 });
  expect(alert?.names).toEqual(codes.slice(0, 10).map((code) => `P${code}`));
  expect(alert?.sentence).toMatch(
    /^12 products cost more than their prices and are closed: P1 \(cost Rp 23,000, price Rp 1,000\), .*, P10 \(.*\) and others$/,
  );
});

it.each<[string, Partial<Promo>, string[]]>([
  ['all products', {}, ['P1', 'P3']],
  ['a game', { games: ['game-2'] }, ['P3']],
  ['a product', { products: [1] }, ['P1']],
  ['a product of another game', { games: ['game-2'], products: [1] }, []],
  [
    'a discount that is too small for a loss',
    { discount: { type: 'FIXED', value: 50, max_discount: null } },
    [],
  ],
])('warns that a promo for %s sells below cost', async (_what, rules, codes) => {
  const store = await storeWith(
    [game(1, [product('1'), product('2'), product('4'), product('5')]), game(2, [product('3')])],
    [
      listed('1', 950),
      listed('2', 900),
      listed('3', 901),
      // Nobody can order these with or without the promo.
      listed('4', 1_001),
      listed('5', 950, { stock: 0 }),
    ],
  );
  const discounted = promo({
    ...{ discount: { type: 'PERCENT', basis_points: 1_000, max_discount: null }, games: [], products: [] },
    ...rules,
  });
  const losses = await findPromoLosses(store, discounted, moment);
  expect(losses.map(({ product: { code } }) => code)).toEqual(codes);
  for (const { price } of losses) expect(price).toBe(900);
  expect(await findPromoLosses(store, discounted, moment + day)).toEqual([]);
});
