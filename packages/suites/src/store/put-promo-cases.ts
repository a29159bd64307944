import { assertEqual } from '../assertions.ts';
import { another, catalog, claim, ok, place, promo } from './fixtures.ts';
import type { StoreCase } from './store-case.ts';

const named = (code: string) => promo({ code });

export const putPromoCases: StoreCase[] = [
  {
    name: 'a new promo is added at the end, and a changed one keeps its place',
    async run(store) {
      await store.replaceCatalog(catalog([named('B'), named('A')]));
      assertEqual(await store.putPromo(named('C')), ok, 'new');
      const changed = promo({ code: 'B', status: false, quota: 3, games: ['mobile-legends'] });
      assertEqual(await store.putPromo(changed), ok, 'changed');
      assertEqual(await store.putPromo(named('0')), ok, 'another new one');
      const expected = catalog([changed, named('A'), named('C'), named('0')]);
      assertEqual(await store.readCatalog(), expected, 'catalogue');
    },
  },
  {
    name: 'a promo that is added again is at the end, and its uses were kept',
    async run(store) {
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
  },
  {
    name: 'a new promo is valid for orders immediately',
    async run(store) {
      await store.replaceCatalog(catalog());
      await store.putPromo(promo({ quota: 1 }));
      await store.placeOrder(place(another('A'), { promo: claim() }));
      const second = place(another('B'), { promo: claim() });
      assertEqual(await store.placeOrder(second), { conflict: 'promo_exhausted' }, 'second use');
      await store.putPromo(promo({ quota: 2 }));
      assertEqual(await store.placeOrder(second), ok, 'with a greater quota');
    },
  },
  {
    name: 'the revision grows with a stored promo, and not with a conflict',
    async run(store) {
      await store.replaceCatalog(catalog());
      const before = await store.revision();
      await store.putPromo(promo());
      const after = await store.revision();
      assertEqual(after > before, true, 'grown');
      await store.placeOrder(place(another('A'), { promo: claim() }));
      await store.putPromo(promo({ quota: 0 }));
      assertEqual(await store.revision(), after, 'after a conflict');
    },
  },
  {
    name: 'a quota below the uses so far is a conflict, and the promo does not change',
    async run(store) {
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
  },
  {
    name: 'another catalogue keeps a promo that was stored by itself, after its own promos',
    async run(store) {
      await store.replaceCatalog(catalog([named('A'), named('B')]));
      assertEqual(await store.readOperatorPromos(), [], 'none yet');
      await store.putPromo(named('OWN'));
      await store.putPromo(promo({ code: 'B', status: false }));
      await store.replaceCatalog(catalog([named('C')]));
      const kept = [promo({ code: 'B', status: false }), named('OWN')];
      assertEqual(await store.readCatalog(), catalog([named('C'), ...kept]), 'catalogue');
      assertEqual(await store.readOperatorPromos(), kept, 'kept');
    },
  },
  {
    name: 'a catalogue changes the promo of an operator that it names, and a later one still keeps it',
    async run(store) {
      await store.replaceCatalog(catalog());
      await store.putPromo(named('OWN'));
      const changed = promo({ code: 'OWN', quota: 7 });
      await store.replaceCatalog(catalog([changed, named('A')]));
      assertEqual(await store.readCatalog(), catalog([changed, named('A')]), 'changed');
      await store.replaceCatalog(catalog([named('C')]));
      assertEqual(await store.readCatalog(), catalog([named('C'), changed]), 'kept');
    },
  },
  {
    name: 'storing a promo does not change a catalogue that was read before',
    async run(store) {
      const given = catalog([promo()]);
      await store.replaceCatalog(given);
      const read = await store.readCatalog();
      await store.putPromo(promo({ status: false }));
      await store.putPromo(named('A'));
      assertEqual(given, catalog([promo()]), 'the stored record');
      assertEqual(read, catalog([promo()]), 'the record that was read');
    },
  },
];
