import { expect, it } from 'vitest';
import {
  CatalogChangedError,
  changedValues,
  EditError,
  editCatalog,
  planCatalogSync,
  previewEdit,
  setLocked,
  setMargin,
  setOpen,
  setPrice,
  undoEdit,
} from '../src/features/index.ts';
import type { Store } from '../src/features/store.ts';
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

/** Two games, three products, and what they cost. */
async function pricedShop(): Promise<Store> {
  const store = await shopWith(game('moba', [product('P1'), product('P2')]), game('royale', [product('P3')]));
  const list = listOf(listed('P1', 10_000), listed('P2', 20_000), listed('P3', 30_000));
  await store.saveSupplierList(list);
  await editCatalog(byRina(store), 'sync', planCatalogSync(list, { now: shopNow, force: true }));
  return store;
}

const undoNewest = async (store: Store) => {
  const [edit] = await store.listCatalogEdits(1);
  if (!edit) throw new Error('no edit');
  return editCatalog(byRina(store), `undo ${edit.number}`, undoEdit(edit));
};

it('applies a margin rule to its products immediately, and prefers the most specific rule', async () => {
  const store = await pricedShop();
  const set = (scope: 'shop' | 'game' | 'category' | 'product', key: string, flat: number) =>
    editCatalog(byRina(store), 'margin set', setMargin({ scope, key }, rule({ flat })));
  await set('shop', '', 100);
  expect(await pricesOf(store)).toEqual({ P1: 10_100, P2: 20_100, P3: 30_100 });
  await set('category', '1', 200);
  expect(await pricesOf(store)).toEqual({ P1: 10_200, P2: 20_200, P3: 30_200 });
  await set('game', 'moba', 300);
  expect(await pricesOf(store)).toEqual({ P1: 10_300, P2: 20_300, P3: 30_200 });
  await set('product', 'P2', 400);
  expect(await pricesOf(store)).toEqual({ P1: 10_300, P2: 20_400, P3: 30_200 });
  await editCatalog(byRina(store), 'margin unset', setMargin({ scope: 'product', key: 'P2' }, null));
  expect(await pricesOf(store)).toEqual({ P1: 10_300, P2: 20_300, P3: 30_200 });
});

it('locks a price that was set manually, so that no rule changes it before it is unlocked', async () => {
  const store = await pricedShop();
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ flat: 100 })));
  await editCatalog(byRina(store), 'set-price P1', setPrice('P1', 15_000));
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ flat: 500 })));
  expect(await pricesOf(store)).toEqual({ P1: 15_000, P2: 20_500, P3: 30_500 });
  await editCatalog(byRina(store), 'unlock P1', setLocked(['P1'], false));
  expect(await pricesOf(store)).toEqual({ P1: 10_500, P2: 20_500, P3: 30_500 });
});

it('records an edit in the history with time, author and every changed value', async () => {
  const store = await pricedShop();
  await editCatalog(byRina(store), 'set-price P1', setPrice('P1', 15_000));
  expect(await store.listCatalogEdits(9)).toEqual([
    {
      ...{ number: 1, at: shopNow, by: 'rina', command: 'set-price P1' },
      values: [
        { kind: 'product', key: 'P1', field: 'selling_price', from: 1_000, to: 15_000 },
        { kind: 'product', key: 'P1', field: 'price_locked', from: null, to: true },
      ],
    },
  ]);
});

it('adds no history entry for an edit without changes, and leaves the catalogue unchanged in a preview', async () => {
  const store = await pricedShop();
  const revision = await store.revision();
  await editCatalog(byRina(store), 'open', setOpen({ games: ['moba'], products: ['P3'] }, true));
  const { values } = await previewEdit({ store }, setOpen({ games: ['moba'], products: ['P3'] }, false));
  expect(values.map(({ key, field, to }) => [key, field, to])).toEqual([
    ['moba', 'status', false],
    ['P3', 'status', false],
  ]);
  expect(await store.revision()).toBe(revision);
  expect(await store.listCatalogEdits(9)).toEqual([]);
});

it.each([
  [
    'a price below cost',
    setPrice('P1', 9_999),
    /P1 costs 10,000, so a price of 9,999 would sell it below cost/,
  ],
  ['an unknown product', setPrice('P9', 9_999), /no product P9/],
  ['a lock of unknown products', setLocked(['P1', 'P8', 'P9'], true), /no product P8, P9/],
  ['the closing of an unknown game', setOpen({ games: ['chess'], products: [] }, false), /no game chess/],
  [
    'a rule for an unknown category',
    setMargin({ scope: 'category', key: '9' }, rule({})),
    /no category 9; it has 1 \(x\)/,
  ],
  ['the removal of a missing rule', setMargin(shop, null), /no margin rule for shop/],
  ['a price that is too high', setPrice('P1', 1_000_000_001), /selling_price/],
])('rejects %s, and leaves the catalogue unchanged', async (_name, plan, message) => {
  const store = await pricedShop();
  const before = await store.readCatalog();
  await expect(editCatalog(byRina(store), 'edit', plan)).rejects.toThrow(message);
  await expect(editCatalog(byRina(store), 'edit', plan)).rejects.toBeInstanceOf(EditError);
  expect(await store.readCatalog()).toEqual(before);
  expect(await store.listCatalogEdits(9)).toEqual([]);
});

it('applies two simultaneous edits in sequence', async () => {
  const store = await pricedShop();
  await Promise.all([
    editCatalog(byRina(store), 'set-price P1', setPrice('P1', 15_000)),
    editCatalog(byRina(store), 'set-price P2', setPrice('P2', 25_000)),
  ]);
  expect(await pricesOf(store)).toEqual({ P1: 15_000, P2: 25_000, P3: 1_000 });
  expect((await store.listCatalogEdits(9)).map(({ number }) => number)).toEqual([2, 1]);
});

it('undoes an edit with all its changes, and can undo the undo', async () => {
  const store = await pricedShop();
  const before = await store.readCatalog();
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ flat: 100 })));
  await editCatalog(byRina(store), 'set-price P1', setPrice('P1', 15_000));
  await undoNewest(store);
  expect(await pricesOf(store)).toEqual({ P1: 10_100, P2: 20_100, P3: 30_100 });
  const [, , set] = await store.listCatalogEdits(9);
  if (set) await editCatalog(byRina(store), 'undo 1', undoEdit(set));
  expect([await store.readCatalog(), await store.readMargins()]).toEqual([before, []]);
  await undoNewest(store);
  expect(await pricesOf(store)).toEqual({ P1: 10_100, P2: 20_100, P3: 30_100 });
});

it("doesn't undo an edit if its values have changed since, and lists the values", async () => {
  const store = await pricedShop();
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ flat: 100 })));
  await editCatalog(byRina(store), 'set-price P2', setPrice('P2', 25_000));
  const [, first] = await store.listCatalogEdits(9);
  if (!first) throw new Error('no edit');
  await expect(editCatalog(byRina(store), 'undo 1', undoEdit(first))).rejects.toThrow(
    /Since edit 1, something else changed the price of P2\./,
  );
  expect(await pricesOf(store)).toEqual({ P1: 10_100, P2: 25_000, P3: 30_100 });
});

it("doesn't undo an edit that added or removed entries", async () => {
  const values = [{ kind: 'product', key: 'P1', field: '', from: null, to: 'Title P1' }] as const;
  const edit = { number: 3, at: 0, by: 'rina', command: 'import', values };
  await expect(editCatalog(byRina(await pricedShop()), 'undo 3', undoEdit(edit))).rejects.toThrow(
    /Edit 3 added, removed or replaced entries/,
  );
});

it('accepts a rule before a catalogue exists', async () => {
  const store = await shopWith();
  await editCatalog(byRina(store), 'margin set', setMargin(shop, rule({ flat: 100 })));
  expect(await store.readMargins()).toEqual([{ ...shop, rule: rule({ flat: 100 }) }]);
});

it('undoes an import of changed fields completely, including new fields', async () => {
  const store = await shopWith(game('moba', [product('P1')]));
  const before = await store.readCatalog();
  if (!before) throw new Error('no catalogue');
  const sale = { promo_price: 900, promo_from: '2026-03-01T00:00:00+07:00' };
  const after = {
    ...before,
    games: [
      game('moba', [product('P1', { ...sale, category: { id: 7, title: 'Pass' }, price_locked: true })]),
    ],
  };
  const values = changedValues(before, after);
  await store.replaceCatalog(after, { at: shopNow, by: 'rina', command: 'import', values });
  await undoNewest(store);
  expect(await store.readCatalog()).toEqual(before);
});

it('applies an edit that its operator previewed only if nothing has changed since', async () => {
  const store = await pricedShop();
  const seenRevision = await store.revision();
  await editCatalog(byRina(store), 'set-price P1', setPrice('P1', 15_000));
  const late = editCatalog({ ...byRina(store), seenRevision }, 'set-price P1', setPrice('P1', 16_000));
  await expect(late).rejects.toThrow(CatalogChangedError);
  expect((await pricesOf(store)).P1).toBe(15_000);
  const deps = { ...byRina(store), seenRevision: await store.revision() };
  await editCatalog(deps, 'set-price P1', setPrice('P1', 16_000));
  expect((await pricesOf(store)).P1).toBe(16_000);
});
