import { assertEqual } from '../../assertions.ts';
import { another, catalog, claim, ok, place, promo } from './fixtures.ts';
import type { StoreCase } from './store-case.ts';

const named = (code: string) => promo({ code });

export const putPromoCases: StoreCase[] = [
  {
    name: 'a new promo comes last, and a changed one keeps its place',
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
    name: 'a promo that comes back into the catalogue comes last, and its uses were kept',
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
    name: 'a promo that was put in force counts for orders at once',
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
    name: 'the revision grows when a promo is put in force, and not when it is refused',
    async run(store) {
      await store.replaceCatalog(catalog());
      const before = await store.revision();
      await store.putPromo(promo());
      const after = await store.revision();
      assertEqual(after > before, true, 'grown');
      await store.placeOrder(place(another('A'), { promo: claim() }));
      await store.putPromo(promo({ quota: 0 }));
      assertEqual(await store.revision(), after, 'after a refusal');
    },
  },
  {
    name: 'a quota below the uses so far is refused, and the promo stays as it was',
    async run(store) {
      const before = catalog([promo({ quota: 2 })]);
      await store.replaceCatalog(before);
      for (const letter of 'AB') await store.placeOrder(place(another(letter), { promo: claim() }));
      assertEqual(
        await store.putPromo(promo({ quota: 1, status: false })),
        { conflict: 'promo_quota_below_uses', code: 'TEN', uses: 2 },
        'refusal',
      );
      assertEqual(await store.readCatalog(), before, 'catalogue');
      assertEqual(await store.putPromo(promo({ quota: 2, status: false })), ok, 'a quota that was used up');
    },
  },
  {
    name: 'a catalogue that was read before does not change when a promo is put in force',
    async run(store) {
      const given = catalog([promo()]);
      await store.replaceCatalog(given);
      const read = await store.readCatalog();
      await store.putPromo(promo({ status: false }));
      await store.putPromo(named('A'));
      assertEqual(given, catalog([promo()]), 'the given one');
      assertEqual(read, catalog([promo()]), 'the one that was read');
    },
  },
];
