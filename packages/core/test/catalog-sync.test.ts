import { expect, it } from 'vitest';
import { createScheduledSync } from '../src/features/catalog/prices/scheduled-sync.ts';
import {
  type EngineDependencies,
  editCatalog,
  listProducts,
  planCatalogSync,
  previewEdit,
  setMargin,
  setPrice,
} from '../src/features/index.ts';
import type { Store, SupplierList } from '../src/features/store.ts';
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

/** A shop with a rule of 100 rupiah on the cost, whose prices follow a first list. */
async function syncedShop(list: SupplierList, ...codes: string[]): Promise<Store> {
  const store = await shopWith(
    game(
      'moba',
      codes.map((code) => product(code)),
    ),
  );
  await store.saveSupplierList(list);
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ flat: 100, minimum: 50 })));
  // Prices of the catalogue may be far from those of the rule.
  await editCatalog(byRina(store), 'sync', planCatalogSync(list, { now: shopNow, force: true }));
  return store;
}

const sync = async (store: Store, list: SupplierList, force = false) =>
  (await editCatalog(byRina(store), 'sync', planCatalogSync(list, { now: shopNow, force }))).plan;

it('sets prices from the list by the margin rules, and names the rules in the plan', async () => {
  const store = await syncedShop(listOf(listed('P1', 10_000), listed('P2', 20_000)), 'P1', 'P2');
  const { prices } = await sync(store, listOf(listed('P1', 11_000), listed('P2', 20_000)));
  expect(prices).toEqual([{ code: 'P1', title: 'Title P1', cost: 11_000, from: 10_100, to: 11_100 }]);
  expect(await pricesOf(store)).toEqual({ P1: 11_100, P2: 20_100 });
});

it('never changes a locked price, and reports the price if its margin is too low', async () => {
  const store = await syncedShop(listOf(listed('P1', 10_000)), 'P1');
  await editCatalog(byRina(store), 'set-price P1', setPrice('P1', 10_500));
  const thinBy = async (cost: number) => (await sync(store, listOf(listed('P1', cost)))).thin;
  expect(await thinBy(10_450)).toEqual([]);
  const thin = { code: 'P1', price: 10_500, isLocked: true, minimum: 50 };
  expect(await thinBy(10_451)).toEqual([{ ...thin, cost: 10_451 }]);
  expect(await thinBy(12_000)).toEqual([{ ...thin, cost: 12_000 }]);
  expect(await pricesOf(store)).toEqual({ P1: 10_500 });
});

it('keeps the price of a product without a rule, and reports the price if it is below cost', async () => {
  const store = await shopWith(game('moba', [product('P1'), product('P2')]));
  const plan = await sync(store, listOf(listed('P1', 1_001), listed('P2', 1_000)));
  expect(plan.thin).toEqual([{ code: 'P1', cost: 1_001, price: 1_000, isLocked: false, minimum: 0 }]);
  expect([plan.prices, plan.withoutRule]).toEqual([[], 2]);
});

it('plans changes for closed, reopened, missing and additional products in the list', async () => {
  const first = listOf(listed('P1', 100), listed('P2', 100, { isAvailable: false }), listed('P3', 100));
  const store = await syncedShop(first, 'P1', 'P2', 'P3');
  const plan = await sync(
    store,
    listOf(listed('P1', 100, { stock: 0 }), listed('P2', 100), listed('P9', 500, { name: 'New' })),
  );
  expect(plan.closed.map(({ code, why }) => [code, why])).toEqual([
    ['P1', 'unavailable'],
    ['P3', 'unlisted'],
  ]);
  expect([plan.reopened, plan.unlisted]).toEqual([['P2'], ['P3']]);
  expect(plan.withoutProduct.map(({ code }) => code)).toEqual(['P9']);
});

const many = (count: number, cost = 1_000) =>
  listOf(...Array.from({ length: count }, (_, index) => listed(`P${index + 1}`, cost)));

it('rejects a list that is more than a third shorter than the last list unless the sync is forced', async () => {
  const store = await syncedShop(many(30), 'P1', 'P2');
  await expect(sync(store, many(19, 2_000))).rejects.toThrow(/has 19 products, but had 30/);
  expect(await pricesOf(store)).toEqual({ P1: 1_100, P2: 1_100 });
  expect((await sync(store, many(20, 2_000))).prices).toHaveLength(2);
  expect((await sync(store, many(1, 2_000), true)).distrust?.message).toMatch(/has 1 products, but had 20/);
  // A forced list is the one to compare with from then on.
  expect((await sync(store, many(1, 2_000))).distrust).toBeNull();
});

it('applies a later rule to the last accepted list', async () => {
  const store = await syncedShop(many(30), 'P1');
  await store.saveSupplierList(many(1, 1));
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ flat: 200 })));
  expect(await pricesOf(store)).toEqual({ P1: 1_200 });
});

it("doesn't report that a product reopens if its cost and price rise or fall together", async () => {
  const store = await syncedShop(many(3, 10_000), 'P1', 'P2');
  for (const cost of [6_000, 9_000]) {
    const { prices, closed, reopened } = await sync(store, many(3, cost));
    expect([prices.length, closed, reopened]).toEqual([2, [], []]);
  }
});

it('records nothing for a sync that changes no price', async () => {
  const store = await syncedShop(many(2), 'P1');
  const before = await store.listCatalogEdits(9);
  await sync(store, listOf(...many(2).products, listed('P9', 5)));
  await sync(store, many(2));
  expect(await store.listCatalogEdits(9)).toEqual(before);
});

it('previews a rejected list, and writes nothing', async () => {
  const store = await syncedShop(many(30), 'P1');
  const { plan } = await previewEdit(
    { store },
    planCatalogSync(many(3, 2_000), { now: shopNow, force: true }),
  );
  expect([plan.prices.length, plan.distrust === null]).toEqual([1, false]);
  expect(await pricesOf(store)).toEqual({ P1: 1_100 });
});

/** A server of the shop that syncs every minute. */
function scheduled(store: Store, clock: { now: number }, serverId = 'one') {
  const events: string[] = [];
  const emit: EngineDependencies['emit'] = (event) =>
    events.push(
      event.type === 'warning'
        ? event.warning
        : event.type === 'prices'
          ? `${event.changed} prices`
          : event.type,
    );
  const now = () => clock.now;
  const house = { supplier: { name: 'depot' }, worldClock: now, realClock: now, serverId, emit };
  const run = createScheduledSync(store, 60_000, house);
  return { run, events };
}

it('syncs on schedule in a server, and records the server in the history', async () => {
  const store = await syncedShop(many(3), 'P1');
  const clock = { now: shopNow };
  const { run, events } = scheduled(store, clock);
  await run();
  await store.saveSupplierList(many(3, 1_500));
  clock.now += 59_999;
  await run();
  expect(await pricesOf(store)).toEqual({ P1: 1_100 });
  clock.now += 1;
  await run();
  expect([await pricesOf(store), events]).toEqual([{ P1: 1_600 }, ['1 prices']]);
  const [{ by, command } = {}] = await store.listCatalogEdits(1);
  expect([by, command]).toEqual([null, 'sync']);
});

it('never forces a list in a server: it warns once, and applies the next acceptable list', async () => {
  const store = await syncedShop(many(30), 'P1');
  const clock = { now: shopNow };
  const { run, events } = scheduled(store, clock);
  await store.saveSupplierList(many(3, 1_500));
  for (let count = 0; count < 3; count += 1) {
    await run();
    clock.now += 60_000;
  }
  expect([await pricesOf(store), events.length]).toEqual([{ P1: 1_100 }, 1]);
  expect(events[0]).toMatch(/Prices do not follow the supplier: The list of depot has 3 products/);
  await store.saveSupplierList(many(30, 1_500));
  await run();
  expect(await pricesOf(store)).toEqual({ P1: 1_600 });
});

it("doesn't sync from a list that is over a day old, or from another supplier's list", async () => {
  const store = await syncedShop(many(3), 'P1');
  await store.saveSupplierList({ ...many(3, 1_500), readAt: shopNow - 86_400_000 });
  await store.saveSupplierList({ ...many(3, 1_700), supplier: 'warehouse' });
  await scheduled(store, { now: shopNow }).run();
  expect(await pricesOf(store)).toEqual({ P1: 1_100 });
});

it('lists products with cost, rule, lock and the reason why they are closed', async () => {
  const store = await shopWith(
    game('moba', [product('P1'), product('P2', { status: false }), product('P3', { price_locked: true })]),
    game('royale', [product('P4')], { status: false }),
    game('chess', [product('P5'), product('P6')]),
  );
  const [catalog, lists] = [
    await store.readCatalog(),
    [listOf(listed('P1', 900), listed('P3', 1_001), listed('P5', 1, { isAvailable: false }))],
  ];
  if (!catalog) throw new Error('no catalogue');
  const margins = [{ ...shop, rule: rule({}) }];
  const products = listProducts({ catalog, margins, lists }, { now: shopNow, realNow: shopNow });
  expect(
    products.map(({ code, cost, isLocked, rule, closedBy }) => [code, cost, isLocked, rule, closedBy]),
  ).toEqual([
    ['P1', 900, false, 'shop', null],
    ['P2', null, false, 'shop', 'operator'],
    ['P3', 1_001, true, 'shop', 'cost'],
    ['P4', null, false, 'shop', 'operator'],
    ['P5', 1, false, 'shop', 'unavailable'],
    ['P6', null, false, 'shop', 'unlisted'],
  ]);
  const old = { now: shopNow, realNow: shopNow + 86_400_000 };
  expect(listProducts({ catalog, margins, lists }, old).map(({ closedBy }) => closedBy)).toEqual([
    ...[null, 'operator', null, 'operator', null, null],
  ]);
});

it.each([
  [1_000, 1_000, false, null],
  [1_050, 1_000, false, null],
  [1_051, 1_000, false, 5],
  [1_200, 1_000, true, 20],
  [900, 1_000, false, null],
])(
  'decides whether a price of %i is far too high if its rule gives %i (locked: %j)',
  async (price, cost, isLocked, percent) => {
    const store = await shopWith(
      game('moba', [
        product('P1', { selling_price: price, ...(isLocked && { price_locked: true }) }),
        product('P2'),
      ]),
    );
    const catalog = await store.readCatalog();
    if (!catalog) throw new Error('no catalogue');
    const margins = [{ ...shop, rule: rule({}) }];
    const lists = [listOf(listed('P1', cost))];
    const [p1, p2] = listProducts({ catalog, margins, lists }, { now: shopNow, realNow: shopNow });
    expect([p1?.rulePrice, p1?.percentAboveRule]).toEqual([cost, percent]);
    expect([p2?.rulePrice, p2?.percentAboveRule]).toEqual([null, null]);
  },
);

it('reads no list in a server without changes', async () => {
  const store = await syncedShop(many(3), 'P1');
  let reads = 0;
  const counted = {
    ...store,
    readSupplierLists: () => {
      reads += 1;
      return store.readSupplierLists();
    },
  };
  const clock = { now: shopNow };
  const { run } = scheduled(counted, clock);
  for (let count = 0; count < 3; count += 1) {
    await run();
    clock.now += 60_000;
  }
  const before = reads;
  await run();
  expect(reads).toBe(before);
  await store.saveSupplierList(many(3, 1_500));
  clock.now += 60_000;
  await run();
  expect(await pricesOf(store)).toEqual({ P1: 1_600 });
});

it('leaves a shop without margin rules unchanged', async () => {
  const store = await shopWith(game('moba', [product('P1')]));
  await store.saveSupplierList(listOf(listed('P1', 0)));
  const { run, events } = scheduled(store, { now: shopNow });
  await run();
  expect([await store.readPricedLists(), events]).toEqual([[], []]);
});

it('sets a price from the first supplier that its product names, or else from the first supplier in the settings', async () => {
  const suppliers = (...names: string[]) => names.map((supplier) => ({ supplier, code: 'X' }));
  const store = await shopWith(
    game('moba', [
      product('P1', { supplier_code: 'X' }),
      product('P2', { suppliers: suppliers('warehouse', 'depot') }),
      product('P3', { suppliers: suppliers('depot', 'warehouse') }),
    ]),
  );
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ flat: 100 })));
  const [depot, warehouse] = [
    listOf(listed('X', 1_000)),
    { ...listOf(listed('X', 5_000)), supplier: 'warehouse' },
  ];
  const apply = async (list: SupplierList, isFirst: boolean) =>
    (await editCatalog(byRina(store), 'sync', planCatalogSync(list, { now: shopNow, isFirst, force: true })))
      .plan;
  await apply(warehouse, false);
  expect(await pricesOf(store)).toEqual({ P1: 1_000, P2: 5_100, P3: 1_000 });
  const { withoutProduct, closed } = await apply(depot, true);
  expect(await pricesOf(store)).toEqual({ P1: 1_100, P2: 5_100, P3: 1_100 });
  expect([withoutProduct, closed]).toEqual([[], []]);
  // A rule that is changed later goes by the same suppliers.
  await store.saveSupplierList({ ...depot, readAt: shopNow + 1 });
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ flat: 200 })));
  expect(await pricesOf(store)).toMatchObject({ P2: 5_200, P3: 1_200 });
});
