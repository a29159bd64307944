import type { Store } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import { another, catalog, change, claim, expired, ok, order, paid, place, promo } from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

export const promoCases: StoreCases = {
  'a quota is exact under concurrent orders': async (store) => {
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
  'a limit per customer counts only the uses of that customer': async (store) => {
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
  'a use is released only once': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 1, per_customer: 1 })]));
    const once = claim({ perCustomer: 1 });
    await store.placeOrder(place(another('A'), { promo: once }));
    await store.changeOrder(change({ to: expired, promo: 'release' }));
    await store.changeOrder(change({ to: expired, promo: 'release', version: 2 }));
    assertEqual((await store.countPromoUses('TEN', '')).total, 0, 'uses');
    assertEqual(await store.placeOrder(place(another('B'), { promo: once })), ok, 'used again');
    assertEqual((await store.countPromoUses('TEN', '')).total, 1, 'uses after');
  },
  'a change that does not release a use keeps it': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 1 })]));
    await store.placeOrder(place(another('A'), { promo: claim() }));
    await store.changeOrder(change({ to: expired }));
    assertEqual((await store.countPromoUses('TEN', '')).total, 1, 'uses');
  },
  'an order that is a conflict claims nothing': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 5 })]));
    await store.placeOrder(place(order()));
    await store.placeOrder(place(order(), { promo: claim() }));
    assertEqual((await store.countPromoUses('TEN', '')).total, 0, 'uses');
  },
};

const placeWithPromo = (store: Store, letter: string): Promise<object> =>
  store.placeOrder(place(another(letter), { promo: claim() }));

const release = (store: Store, letter: string, version = 1): Promise<object> =>
  store.changeOrder(change({ orderId: another(letter).orderId, version, to: expired, promo: 'release' }));

const reclaim = (store: Store, letter: string, version = 2): Promise<object> =>
  store.changeOrder(change({ orderId: another(letter).orderId, version, to: paid, promo: 'reclaim' }));

const uses = (store: Store) => store.countPromoUses('TEN', claim().customer);

export const reclaimCases: StoreCases = {
  'an order can reclaim the use that it released': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 1 })]));
    await placeWithPromo(store, 'A');
    await release(store, 'A');
    assertEqual(await uses(store), { total: 0, byCustomer: 0 }, 'released');
    assertEqual(await reclaim(store, 'A'), ok, 'reclaim');
    assertEqual(await uses(store), { total: 1, byCustomer: 1 }, 'reclaimed');
    assertEqual(await placeWithPromo(store, 'B'), { conflict: 'promo_exhausted' }, 'another order');
    await release(store, 'A', 3);
    assertEqual(await uses(store), { total: 0, byCustomer: 0 }, 'released again');
  },
  'a change is stored without reclaiming the use when the quota is exhausted': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 1 })]));
    await placeWithPromo(store, 'A');
    await release(store, 'A');
    await placeWithPromo(store, 'B');
    assertEqual(await reclaim(store, 'A'), ok, 'reclaim');
    assertEqual(await store.findOrder(another('A').orderId), another('A', { ...paid, version: 3 }), 'order');
    assertEqual(await uses(store), { total: 1, byCustomer: 1 }, 'uses');
    await release(store, 'A', 3);
    assertEqual(await uses(store), { total: 1, byCustomer: 1 }, 'nothing to release');
    await release(store, 'B');
    await reclaim(store, 'A', 4);
    assertEqual(await uses(store), { total: 1, byCustomer: 1 }, 'once the quota allows it');
  },
  'a use that was not released is not claimed twice, and an order without a promo claims none': async (
    store,
  ) => {
    await store.replaceCatalog(catalog([promo({ quota: 5 })]));
    await placeWithPromo(store, 'A');
    assertEqual(await reclaim(store, 'A', 1), ok, 'with its use');
    await release(store, 'A', 2);
    await reclaim(store, 'A', 3);
    await reclaim(store, 'A', 4);
    await store.placeOrder(place(another('B')));
    assertEqual(await reclaim(store, 'B', 1), ok, 'without a promo');
    assertEqual(await uses(store), { total: 1, byCustomer: 1 }, 'uses');
  },
  'the limit per customer does not apply to a reclaimed use': async (store) => {
    await store.replaceCatalog(catalog([promo({ per_customer: 1 })]));
    const once = claim({ perCustomer: 1 });
    await store.placeOrder(place(another('A'), { promo: once }));
    await release(store, 'A');
    await store.placeOrder(place(another('B'), { promo: once }));
    assertEqual(await reclaim(store, 'A'), ok, 'reclaim');
    assertEqual(await uses(store), { total: 2, byCustomer: 2 }, 'uses');
    assertEqual(
      await store.placeOrder(place(another('C'), { promo: once })),
      { conflict: 'promo_used' },
      'a third order',
    );
  },
  'a quota is exact when uses are reclaimed concurrently with orders': async (store) => {
    await store.replaceCatalog(catalog([promo({ quota: 4 })]));
    for (const letter of 'ABCD') await placeWithPromo(store, letter);
    for (const letter of 'ABC') await release(store, letter);
    await Promise.all([
      placeWithPromo(store, 'E'),
      ...[...'ABC'].map((letter) => reclaim(store, letter)),
      placeWithPromo(store, 'F'),
    ]);
    assertEqual((await uses(store)).total, 4, 'uses');
  },
  'a released use can be reclaimed after its promo was removed from the catalogue and added again': async (
    store,
  ) => {
    await store.replaceCatalog(catalog([promo({ quota: 1 })]));
    await placeWithPromo(store, 'A');
    await release(store, 'A');
    assertEqual(await store.replaceCatalog(catalog()), ok, 'removed from the catalogue');
    assertEqual(await store.replaceCatalog(catalog([promo({ quota: 1 })])), ok, 'added again');
    assertEqual(await reclaim(store, 'A'), ok, 'reclaim');
    assertEqual(await uses(store), { total: 1, byCustomer: 1 }, 'uses');
  },
};
