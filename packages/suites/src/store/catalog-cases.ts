import { assertEqual } from '../assertions.ts';
import { another, catalog, claim, key, moment, ok, order, place, promo } from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

export const catalogCases: StoreCases = {
  'an empty store has no catalogue': async (store) => {
    assertEqual(await store.readCatalog(), null, 'catalogue');
  },
  'the catalogue is read as it was stored, and a new one replaces it': async (store) => {
    const first = catalog([promo({ quota: 3 })]);
    assertEqual(await store.replaceCatalog(first), ok, 'first');
    assertEqual(await store.readCatalog(), first, 'first catalogue');
    const second = catalog([promo({ code: 'OTHER' })]);
    assertEqual(await store.replaceCatalog(second), ok, 'second');
    assertEqual(await store.readCatalog(), second, 'second catalogue');
  },
  'a store is seeded once, also by several at once, and a catalogue that it has is kept': async (store) => {
    const seeds = ['A', 'B', 'C'].map((code) => catalog([promo({ code })]));
    const seeded = await Promise.all(seeds.map((seed) => store.seedCatalog(seed)));
    const winners = seeds.filter((_, index) => 'done' in (seeded[index] ?? {}));
    assertEqual(winners.length, 1, 'seeds');
    assertEqual(await store.readCatalog(), winners[0], 'seeded catalogue');
    await store.replaceCatalog(catalog([promo({ code: 'OWN' })]));
    assertEqual(await store.seedCatalog(catalog()), { conflict: 'catalog_exists' }, 'another seed');
    assertEqual(await store.readCatalog(), catalog([promo({ code: 'OWN' })]), 'catalogue');
  },
  'the revision grows with the catalogue and the keys, and not with orders': async (store) => {
    const revisions = [await store.revision()];
    const record = async (): Promise<void> => {
      revisions.push(await store.revision());
    };
    await store.replaceCatalog(catalog());
    await record();
    await store.createKey(key());
    await record();
    await store.revokeKey('key_1', moment);
    await record();
    for (const [index, revision] of revisions.entries())
      assertEqual(index === 0 || revision > (revisions[index - 1] ?? 0), true, `revision ${index} grows`);
    const before = await store.revision();
    await store.placeOrder(place(order()));
    assertEqual(await store.revision(), before, 'revision after an order');
  },
  'the mode of a store may be live': async (store) => {
    assertEqual(await store.claimMode('live'), ok, 'first claim');
    assertEqual(await store.readMode(), 'live', 'mode');
    assertEqual(await store.claimMode('sandbox'), { conflict: 'other_mode', mode: 'live' }, 'other claim');
  },
  'the mode of a store is set once': async (store) => {
    assertEqual(await store.readMode(), null, 'mode of an empty store');
    assertEqual(await store.readDefaults(), 0, 'defaults of an empty store');
    assertEqual(await store.claimMode('sandbox'), ok, 'first claim');
    assertEqual(await store.claimMode('sandbox'), ok, 'same claim');
    assertEqual(await store.claimMode('live'), { conflict: 'other_mode', mode: 'sandbox' }, 'other claim');
    assertEqual(await store.readMode(), 'sandbox', 'mode');
    assertEqual(await store.readDefaults(), 1, 'defaults of a new store');
    assertEqual(await store.readDisplay(), null, 'display of a store that no server used');
    await store.saveDisplay({ currency: 'MYR', timezone: 'Asia/Kuala_Lumpur' });
    const display = { currency: 'IDR', timezone: 'Asia/Makassar' };
    await store.saveDisplay(display);
    assertEqual(await store.readDisplay(), display, 'display');
  },
  'promos keep their order in the catalogue, also those that were used before': async (store) => {
    await store.replaceCatalog(catalog([promo(), promo({ code: 'B' })]));
    await store.placeOrder(place(another('A'), { promo: claim() }));
    const reordered = catalog([promo({ code: 'C' }), promo({ code: 'B' }), promo()]);
    await store.replaceCatalog(reordered);
    assertEqual(await store.readCatalog(), reordered, 'catalogue');
  },
  'a quota below the uses so far is a conflict, and nothing of that catalogue is stored': async (store) => {
    const first = catalog([promo({ quota: 2 })]);
    await store.replaceCatalog(first);
    await store.placeOrder(place(another('A'), { promo: claim() }));
    await store.placeOrder(place(another('B'), { promo: claim() }));
    assertEqual(
      await store.replaceCatalog(catalog([promo({ code: 'NEW' }), promo({ quota: 1 })])),
      { conflict: 'promo_quota_below_uses', code: 'TEN', uses: 2 },
      'conflict',
    );
    assertEqual(await store.readCatalog(), first, 'catalogue');
    assertEqual((await store.countPromoUses('TEN', '')).total, 2, 'uses');
  },
  'uses are kept while a promo is not in the catalogue': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 1 })]));
    await store.placeOrder(place(another('A'), { promo: claim() }));
    await store.replaceCatalog(catalog());
    await store.replaceCatalog(catalog([promo({ quota: 1 })]));
    assertEqual(
      await store.placeOrder(place(another('B'), { promo: claim() })),
      { conflict: 'promo_exhausted' },
      'second use',
    );
  },
  'an import leaves a line in the history, and one that is rejected leaves none': async (store) => {
    const edit = { at: moment, by: 'rina', command: 'import', values: [] };
    await store.replaceCatalog(catalog([promo({ quota: 1 })]), edit);
    await store.placeOrder(place(another('A'), { promo: claim() }));
    const tooSmall = catalog([promo({ quota: 0 })]);
    assertEqual('conflict' in (await store.replaceCatalog(tooSmall, edit)), true, 'conflict');
    assertEqual(await store.listCatalogEdits(9), [{ ...edit, number: 1 }], 'history');
  },
};

const named = (code: string) => promo({ code });

export const putPromoCases: StoreCases = {
  'a new promo is added at the end, and a changed one keeps its place': async (store) => {
    await store.replaceCatalog(catalog([named('B'), named('A')]));
    assertEqual(await store.putPromo(named('C')), ok, 'new');
    const changed = promo({ code: 'B', status: false, quota: 3, games: ['mobile-legends'] });
    assertEqual(await store.putPromo(changed), ok, 'changed');
    assertEqual(await store.putPromo(named('0')), ok, 'another new one');
    const expected = catalog([changed, named('A'), named('C'), named('0')]);
    assertEqual(await store.readCatalog(), expected, 'catalogue');
  },
  'a promo that is added again is at the end, and its uses were kept': async (store) => {
    await store.replaceCatalog(catalog([promo(), named('A')]));
    await store.placeOrder(place(another('A'), { promo: claim() }));
    await store.replaceCatalog(catalog([named('A')]));
    assertEqual(await store.putPromo(promo({ quota: 1 })), ok, 'put');
    assertEqual(await store.readCatalog(), catalog([named('A'), promo({ quota: 1 })]), 'catalogue');
    assertEqual(
      await store.placeOrder(place(another('B'), { promo: claim() })),
      { conflict: 'promo_exhausted' },
      'second use',
    );
  },
  'a new promo is valid for orders immediately': async (store) => {
    await store.replaceCatalog(catalog());
    await store.putPromo(promo({ quota: 1 }));
    await store.placeOrder(place(another('A'), { promo: claim() }));
    const second = place(another('B'), { promo: claim() });
    assertEqual(await store.placeOrder(second), { conflict: 'promo_exhausted' }, 'second use');
    await store.putPromo(promo({ quota: 2 }));
    assertEqual(await store.placeOrder(second), ok, 'with a greater quota');
  },
  'the revision grows with a stored promo, and not with a conflict': async (store) => {
    await store.replaceCatalog(catalog());
    const before = await store.revision();
    await store.putPromo(promo());
    const after = await store.revision();
    assertEqual(after > before, true, 'grown');
    await store.placeOrder(place(another('A'), { promo: claim() }));
    await store.putPromo(promo({ quota: 0 }));
    assertEqual(await store.revision(), after, 'after a conflict');
  },
  'a quota below the uses so far is a conflict, and the promo does not change': async (store) => {
    const before = catalog([promo({ quota: 2 })]);
    await store.replaceCatalog(before);
    for (const letter of 'AB') await store.placeOrder(place(another(letter), { promo: claim() }));
    assertEqual(
      await store.putPromo(promo({ quota: 1, status: false })),
      { conflict: 'promo_quota_below_uses', code: 'TEN', uses: 2 },
      'conflict',
    );
    assertEqual(await store.readCatalog(), before, 'catalogue');
    assertEqual(await store.putPromo(promo({ quota: 2, status: false })), ok, 'a quota equal to the uses');
  },
  'another catalogue keeps a promo that was stored by itself, after its own promos': async (store) => {
    await store.replaceCatalog(catalog([named('A'), named('B')]));
    assertEqual(await store.readOperatorPromos(), [], 'none yet');
    await store.putPromo(named('OWN'));
    await store.putPromo(promo({ code: 'B', status: false }));
    await store.replaceCatalog(catalog([named('C')]));
    const kept = [promo({ code: 'B', status: false }), named('OWN')];
    assertEqual(await store.readCatalog(), catalog([named('C'), ...kept]), 'catalogue');
    assertEqual(await store.readOperatorPromos(), kept, 'kept');
  },
  'a catalogue changes the promo of an operator that it names, and a later one still keeps it': async (
    store,
  ) => {
    await store.replaceCatalog(catalog());
    await store.putPromo(named('OWN'));
    const changed = promo({ code: 'OWN', quota: 7 });
    await store.replaceCatalog(catalog([changed, named('A')]));
    assertEqual(await store.readCatalog(), catalog([changed, named('A')]), 'changed');
    await store.replaceCatalog(catalog([named('C')]));
    assertEqual(await store.readCatalog(), catalog([named('C'), changed]), 'kept');
  },
  'storing a promo does not change a catalogue that was read before': async (store) => {
    const before = catalog([promo()]);
    await store.replaceCatalog(before);
    const read = await store.readCatalog();
    await store.putPromo(promo({ status: false }));
    await store.putPromo(named('A'));
    assertEqual(before, catalog([promo()]), 'the stored record');
    assertEqual(read, catalog([promo()]), 'the record that was read');
  },
};
