import type { Store } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import {
  another,
  catalog,
  change,
  claim,
  entry,
  key,
  moment,
  ok,
  place,
  promo,
  reconciliation,
  refund,
  reserve,
  response,
  unit,
} from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

const { orderId } = another('A');
const firstOrder = place(another('A', {}, 7), { promo: claim(), response: response() });

/** Fills a store with at least one record of each kind. */
async function fill(store: Store): Promise<void> {
  await store.claimMode('sandbox');
  await store.replaceCatalog(catalog([promo({ quota: 2 })]));
  await store.createKey(key());
  await store.placeOrder(firstOrder);
  const { orderId: oldOrder } = another('C');
  const old = response({ key: 'old', orderId: oldOrder, expiresAt: moment });
  await store.placeOrder(place(another('C'), { response: old }));
  await store.dropIdempotentResponses(moment, 1);
  await store.addReconciliation(reconciliation());
  await store.changeOrder(change({ entry: entry(), units: [unit(1)], refunds: [refund()] }));
  await store.reserveOrder(reserve(another('B'), { promo: claim() }));
  await store.moveWorld(5000);
}

export const worldCases: StoreCases = {
  'world time is real time until it is moved, and several moves add up': async (store) => {
    assertEqual(await store.readWorldOffset(), 0, 'before');
    assertEqual(await store.moveWorld(1_860_000), 1_860_000, 'first move');
    assertEqual(await store.moveWorld(1), 1_860_001, 'second move');
    assertEqual(await store.readWorldOffset(), 1_860_001, 'offset');
  },
  'concurrent moves of world time add up': async (store) => {
    await Promise.all([1, 10, 100, 1000].map((by) => store.moveWorld(by)));
    assertEqual(await store.readWorldOffset(), 1111, 'offset');
  },
  'clearing a store deletes orders and all that belongs to them, and sets world time to real time': async (
    store,
  ) => {
    await fill(store);
    assertEqual(await store.clearOrders(), ok, 'clear');
    assertEqual(await store.listOrders({ limit: 10 }), [], 'orders');
    assertEqual(await store.findOrder(orderId), null, 'order');
    assertEqual(await store.findOrderByReference('ref-A'), null, 'order by reference');
    assertEqual(await store.findReservedOrders(10), [], 'reserved orders');
    assertEqual(await store.findUnits(orderId), [], 'units');
    assertEqual(await store.findHistory(orderId), [], 'history');
    assertEqual(await store.findDueUnits({ now: moment * 2, latest: moment * 2 }, 10), [], 'due units');
    assertEqual(await store.findOverdueOrders(moment * 2, 10), [], 'overdue orders');
    assertEqual(await store.nextDueAt(), null, 'next due');
    for (const used of ['key-1', 'old'])
      assertEqual(await store.findIdempotentResponse('shop', used), null, used);
    assertEqual(await store.listReconciliations(), [], 'reconciliations');
    assertEqual(await store.listRefunds(), [], 'refunds');
    assertEqual(await store.countPromoUses('TEN', claim().customer), { total: 0, byCustomer: 0 }, 'uses');
    assertEqual(await store.readWorldOffset(), 0, 'world offset');
  },
  'clearing a store keeps its mode, catalogue and keys': async (store) => {
    await fill(store);
    const revision = await store.revision();
    await store.clearOrders();
    assertEqual(await store.readMode(), 'sandbox', 'mode');
    assertEqual(await store.readCatalog(), catalog([promo({ quota: 2 })]), 'catalogue');
    assertEqual(await store.listKeys(), [key()], 'keys');
    assertEqual(await store.revision(), revision, 'revision');
  },
  'a cleared store takes the same orders again': async (store) => {
    await fill(store);
    await store.clearOrders();
    await fill(store);
    assertEqual(await store.findUnits(orderId), [unit(1)], 'units');
    assertEqual(await store.findHistory(orderId), [entry()], 'history');
    assertEqual((await store.countPromoUses('TEN', '')).total, 2, 'uses');
    await store.clearOrders();
    assertEqual(await store.placeOrder(firstOrder), ok, 'the unique code of an unpaid order');
    await store.clearOrders();
    assertEqual(await store.placeOrder(firstOrder), ok, 'after it was cleared');
  },
};
