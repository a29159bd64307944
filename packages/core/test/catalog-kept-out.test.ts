import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  editCatalog,
  listProducts,
  planCatalogSync,
  planSync,
  previewEdit,
  setMargin,
} from '../src/features/index.ts';
import type { Store, SupplierList } from '../src/features/store.ts';
import { oddRow } from './helpers/odd-lists.ts';
import {
  byRina,
  game,
  listed,
  listOf,
  pricesOf,
  product,
  rule,
  shopNow,
  shopWith,
} from './helpers/priced-shop.ts';

const shop = { scope: 'shop', key: '' } as const;

/** A shop whose prices are 10 % above a cost of 20,000, and that no sync has priced yet. */
async function newShop(...codes: string[]): Promise<Store> {
  const store = await shopWith(
    game(
      'moba',
      codes.map((code) => product(code, { selling_price: 22_000 })),
    ),
  );
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ percent: 1_000 })));
  return store;
}

const sync = async (store: Store, list: SupplierList, force = false) => {
  const { plan } = await editCatalog(byRina(store), 'sync', planCatalogSync(list, { now: shopNow, force }));
  return plan.keptOut.map(({ code, why }) => [code, why]);
};

it("skips a price above the catalogue's limit, reports it, and applies all other prices", async () => {
  const store = await newShop('P1', 'P2');
  const list = listOf(listed('P1', 999_999_999), listed('P2', 21_000));
  for (const force of [false, true]) expect(await sync(store, list, force)).toEqual([['P1', 'limit']]);
  expect(await pricesOf(store)).toEqual({ P1: 22_000, P2: 23_100 });
});

it.each([
  [0, 'zero'],
  [2, 'far'],
  [9_999, 'far'],
  [40_001, 'far'],
])('applies a cost of %i at the first sync only with --force (%s)', async (cost, why) => {
  const store = await newShop('P1', 'P2');
  const list = listOf(listed('P1', cost), listed('P2', 21_000));
  expect(await sync(store, list)).toEqual([['P1', why]]);
  expect(await pricesOf(store)).toEqual({ P1: 22_000, P2: 23_100 });
  expect(await sync(store, list, true)).toEqual([]);
  expect(await pricesOf(store)).toMatchObject({ P1: Math.ceil(cost * 1.1) });
});

it.each([10_000, 20_000, 40_000])('applies a cost of %i at the first sync', async (cost) => {
  const store = await newShop('P1');
  expect(await sync(store, listOf(listed('P1', cost)))).toEqual([]);
  expect(await pricesOf(store)).toEqual({ P1: cost * 1.1 });
});

it.each([
  [9_999, ['P1', 'far']],
  [10_000, null],
  [40_000, null],
  [40_001, ['P1', 'far']],
])('compares a cost of %i after a sync with the earlier 20,000', async (cost, kept) => {
  const store = await newShop('P1', 'P2');
  await sync(store, listOf(listed('P1', 20_000), listed('P2', 20_000)));
  // A rule that changed the price much says nothing of the cost.
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ percent: 50_000 })));
  expect(await sync(store, listOf(listed('P1', cost), listed('P2', 21_000)))).toEqual(kept ? [kept] : []);
  expect(await pricesOf(store)).toEqual({ P1: (kept ? 20_000 : cost) * 6, P2: 126_000 });
});

it("doesn't compare the next cost with a cost that was skipped", async () => {
  const store = await newShop('P1');
  await sync(store, listOf(listed('P1', 20_000)));
  for (let count = 0; count < 3; count += 1)
    expect(await sync(store, listOf(listed('P1', 1)))).toEqual([['P1', 'far']]);
  expect(await sync(store, listOf(listed('P1', 999_999_999)))).toEqual([['P1', 'limit']]);
  expect(await sync(store, listOf(listed('P1', 21_000)))).toEqual([]);
  expect(await pricesOf(store)).toEqual({ P1: 23_100 });
});

it('ignores an implausible cost of a locked price after the price is unlocked', async () => {
  const store = await shopWith(game('moba', [product('P1', { selling_price: 22_000, price_locked: true })]));
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ percent: 1_000 })));
  expect(await sync(store, listOf(listed('P1', 20_000)))).toEqual([]);
  expect(await sync(store, listOf(listed('P1', 0)))).toEqual([]);
  const catalog = await store.readCatalog();
  if (!catalog) throw new Error('no catalogue');
  const games = catalog.games.map((game) => ({
    ...game,
    products: game.products.map(({ price_locked: _, ...product }) => product),
  }));
  await store.replaceCatalog({ ...catalog, games });
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ percent: 2_000 })));
  expect(await pricesOf(store)).toEqual({ P1: 24_000 });
});

it('keeps the price of a code with several listed prices, even with --force, and uses the highest cost', async () => {
  const store = await newShop('P1', 'P2');
  for (const prices of [
    [21_000, 1],
    [1, 21_000],
  ]) {
    const rows = prices.map((price) => listed('P1', price));
    const list = listOf(...rows, listed('P2', 20_500), listed('P2', 20_500));
    for (const force of [false, true])
      expect(await sync(store, list, force)).toEqual([['P1', 'several-prices']]);
    await store.saveSupplierList(list);
    const [catalog, margins] = [await store.readCatalog(), await store.readMargins()];
    if (!catalog) throw new Error('no catalogue');
    const [p1] = listProducts({ catalog, margins, lists: [list] }, { now: shopNow, realNow: shopNow });
    expect(p1?.cost).toBe(21_000);
  }
  expect(await pricesOf(store)).toEqual({ P1: 22_000, P2: 22_550 });
});

it('uses the more restrictive row of a code that is listed twice', async () => {
  const store = await newShop('P1');
  const rows = [listed('P1', 20_000), listed('P1', 20_000, { isAvailable: false })];
  for (const list of [listOf(...rows), listOf(...rows.toReversed())]) {
    const { plan } = await previewEdit({ store }, (state) => planSync(state, list, { now: shopNow }));
    expect(plan.closed.map(({ code, why }) => [code, why])).toEqual([['P1', 'unavailable']]);
  }
});

it('changes no price from an implausible row for a rule that was set before the first sync', async () => {
  const store = await newShop('P1', 'P2', 'P3');
  await store.saveSupplierList(listOf(listed('P1', 0), listed('P2', 999_999_999), listed('P3', 20_000)));
  const { plan } = await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ percent: 2_000 })));
  expect(plan.keptOut?.map(({ code, why }) => [code, why])).toEqual([
    ['P1', 'zero'],
    ['P2', 'limit'],
  ]);
  expect(await pricesOf(store)).toEqual({ P1: 22_000, P2: 22_000, P3: 24_000 });
});

it('applies plausible rows of any list, and keeps all prices within the limits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(oddRow, { maxLength: 8 }), async (rows) => {
      const odd = rows.filter(({ code }) => code !== 'ok');
      const store = await shopWith(
        game('moba', [
          product('P1', { supplier_code: 'ok', selling_price: 22_000 }),
          ...[...new Set(odd.map(({ code }) => code))]
            .filter((code) => /^\S+( \S+)*$/.test(code) && code.length < 256)
            .map((code, index) => product(`P${index + 2}`, { supplier_code: code, selling_price: 22_000 })),
        ]),
      );
      await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ percent: 1_000 })));
      await sync(store, listOf(listed('ok', 21_000), ...odd));
      const { P1, ...others } = await pricesOf(store);
      expect(P1).toBe(23_100);
      for (const price of Object.values(others)) {
        expect(price).toBeGreaterThanOrEqual(11_000);
        expect(price).toBeLessThanOrEqual(44_000);
      }
    }),
  );
});
