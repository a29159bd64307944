import { assertEqual } from '../assertions.ts';
import { another, catalog, change, claim, expired, ok, order, place, promo } from './fixtures.ts';
import type { StoreCase } from './store-case.ts';

export const promoCases: StoreCase[] = [
  {
    name: 'a quota is exact under concurrent orders',
    async run(store) {
      await store.replaceCatalog(catalog([promo({ quota: 3 })]));
      const outcomes = await Promise.all(
        [...'ABCDEFGH'].map((letter) => store.placeOrder(place(another(letter), { promo: claim() }))),
      );
      assertEqual(outcomes.filter((outcome) => 'done' in outcome).length, 3, 'placed');
      assertEqual((await store.countPromoUses('TEN', '')).total, 3, 'uses');
      const exhausted = outcomes.filter(
        (outcome) => 'conflict' in outcome && outcome.conflict === 'promo_exhausted',
      );
      assertEqual(exhausted.length, 5, 'conflicts');
    },
  },
  {
    name: 'a limit per customer counts only the uses of that customer',
    async run(store) {
      await store.replaceCatalog(catalog([promo({ per_customer: 1 })]));
      const once = claim({ perCustomer: 1 });
      assertEqual(await store.placeOrder(place(another('A'), { promo: once })), ok, 'first');
      assertEqual(
        await store.placeOrder(place(another('B'), { promo: once })),
        { conflict: 'promo_used' },
        'again',
      );
      const other = { ...once, customer: '6289999' };
      assertEqual(await store.placeOrder(place(another('B'), { promo: other })), ok, 'another customer');
    },
  },
  {
    name: 'a use is released only once',
    async run(store) {
      await store.replaceCatalog(catalog([promo({ quota: 1, per_customer: 1 })]));
      const once = claim({ perCustomer: 1 });
      await store.placeOrder(place(another('A'), { promo: once }));
      await store.changeOrder(change({ to: expired, promo: 'release' }));
      await store.changeOrder(change({ to: expired, promo: 'release', version: 2 }));
      assertEqual((await store.countPromoUses('TEN', '')).total, 0, 'uses');
      assertEqual(await store.placeOrder(place(another('B'), { promo: once })), ok, 'used again');
      assertEqual((await store.countPromoUses('TEN', '')).total, 1, 'uses after');
    },
  },
  {
    name: 'a change that does not release a use keeps it',
    async run(store) {
      await store.replaceCatalog(catalog([promo({ quota: 1 })]));
      await store.placeOrder(place(another('A'), { promo: claim() }));
      await store.changeOrder(change({ to: expired }));
      assertEqual((await store.countPromoUses('TEN', '')).total, 1, 'uses');
    },
  },
  {
    name: 'an order that is a conflict claims nothing',
    async run(store) {
      await store.replaceCatalog(catalog([promo({ quota: 5 })]));
      await store.placeOrder(place(order()));
      await store.placeOrder(place(order(), { promo: claim() }));
      assertEqual((await store.countPromoUses('TEN', '')).total, 0, 'uses');
    },
  },
];
