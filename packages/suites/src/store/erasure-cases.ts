import type { Store } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import {
  another,
  catalog,
  change,
  claim,
  delivered,
  entry,
  idOf,
  moment,
  ok,
  paid,
  place,
  promo,
  reconciliation,
  refund,
  reserve,
  response,
  unit,
} from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

const erasure = { at: moment + 5_000_000, by: 'ani' };
const hash = 'a'.repeat(64);

/** Places an order of Budi that was retried, revoked and delivered, with his name in all possible places. */
async function placeOfBudi(store: Store): Promise<void> {
  await store.replaceCatalog(catalog([promo({ per_customer: 1 })]));
  const order = another('A', {
    target: { id: '55544433', server: '2012', nickname: 'BudiPro' },
    contact: { email: 'budi@mail.test', whatsapp: '0812-7771-2345' },
    payment: {
      reference: 'ref-A',
      code: '88081277712345',
      url: 'https://pay.test/budi',
      qrString: 'BudiPro',
    },
  });
  await store.placeOrder(place(order, { promo: claim({ customer: '6281277712345' }), response: response() }));
  const attempt = { unit: 1, attempt: 1, askedAt: moment, supplier: 'depot', supplierId: 'T-1' };
  await store.changeOrder(
    change({
      entry: entry({
        event: 'retried',
        note: 'Budi called',
        serialNumber: 'BudiPro/1',
        attempts: [{ ...attempt, reason: 'no 55544433' }],
        revoked: [{ unit: 1, serialNumber: 'BudiPro/1' }],
      }),
      units: [unit(1, { state: 'delivered', nextAt: null, serialNumber: 'BudiPro/1', cost: 20_000 })],
      serialNumber: 'BudiPro/1',
      refunds: [
        refund({ note: 'for Budi', reference: 'to +62 812 7771 2345' }),
        refund({ refundId: 'R-2', reference: 'BCA 7781' }),
      ],
    }),
  );
  await store.indexForSearch(100);
  const last = { state: 'delivered', nextAt: null, attempt: 2, supplierId: 'T-2', cost: 20_000 } as const;
  await store.changeOrder(
    change({
      version: 2,
      to: delivered,
      entry: entry({ event: 'delivered', from: paid, to: delivered }),
      units: [unit(1, { ...last, serialNumber: 'BudiPro/7', reason: 'for BudiPro' })],
      serialNumber: 'BudiPro/7',
    }),
  );
  await store.indexForSearch(100);
  await store.addReconciliation(reconciliation({ state: 'returned', note: 'to budi@mail.test' }));
}

const erase = (store: Store, letter: string, version: number) =>
  store.eraseOrder({ orderId: idOf(letter), version, customerHash: hash, erasure });

/** Reads all data about an order in a store. */
const dataAbout = async (store: Store, orderId: string) => ({
  order: await store.findOrder(orderId),
  units: await store.findUnits(orderId),
  history: await store.findHistory(orderId),
  changes: (await store.findChanges(0, 100)).filter((change) => change.orderId === orderId),
  refunds: await store.findRefunds(orderId),
  payments: await store.listReconciliations({ orderId }),
  counts: await store.countOrders(),
});

/** Search texts that could find Budi's order. */
const searched = [
  '0812-7771-2345',
  '81277712345',
  'budi@mail',
  'budipro',
  'budipro/1',
  'budipro/7',
  '55544433',
];

export const erasureCases: StoreCases = {
  'an order is erased wherever the store holds who it was for, and nothing else of it': async (store) => {
    await placeOfBudi(store);
    const before = await dataAbout(store, idOf('A'));
    assertEqual(await erase(store, 'A', 3), ok, 'erased');
    const after = await dataAbout(store, idOf('A'));
    const rest = JSON.stringify(after);
    for (const text of ['7771', 'budi', '55544433', '2012"', 'shop.example/orders'])
      assertEqual(rest.toLowerCase().includes(text), false, `${text} is left`);
    assertEqual(
      after.order,
      {
        ...before.order,
        target: { id: 'erased', server: null, nickname: null },
        contact: { email: null, whatsapp: 'erased' },
        returnUrl: null,
        payment: { reference: 'ref-A', code: null, url: null, qrString: null },
        serialNumber: null,
        version: 4,
      },
      'order',
    );
    assertEqual(
      after.units,
      before.units.map((unit) => ({ ...unit, serialNumber: null, reason: null })),
      'units',
    );
    assertEqual(
      [after.changes.map(({ position }) => position), after.counts],
      [before.changes.map(({ position }) => position), before.counts],
      'places and counts',
    );
    const references = after.refunds.map(({ refundId, reference }) => [refundId, reference]).sort();
    assertEqual(
      references,
      [
        [`${idOf('A')}-R1`, 'erased'],
        ['R-2', 'BCA 7781'],
      ],
      'where money went, unless that names the customer',
    );
    assertEqual(await store.findIdempotentResponse('shop', 'key-1'), response(), 'its key');
    for (const text of searched)
      assertEqual(await store.searchOrders({ text, limit: 10 }), [], `found by ${text}`);
    assertEqual(await store.listOrders({ customer: '6281277712345', limit: 10 }), [], 'listed');
    assertEqual((await store.searchOrders({ text: 'AAAAAAAA', limit: 10 })).length, 1, 'found by its id');
    assertEqual(await store.listErasures(), [{ ...erasure, orders: 1, callbacks: 0, events: 0 }], 'counted');
  },
  'an erased order leaves other orders as they are': async (store) => {
    await placeOfBudi(store);
    await store.placeOrder(place(another('B')));
    await store.changeOrder(
      change({ orderId: idOf('B'), entry: entry({ note: 'BudiPro' }), units: [unit(1)] }),
    );
    const before = await dataAbout(store, idOf('B'));
    await erase(store, 'A', 3);
    const after = await dataAbout(store, idOf('B'));
    assertEqual(after, before, 'the other order');
  },
  'only an order with the version that was seen is erased, and none that is reserved or missing': async (
    store,
  ) => {
    await placeOfBudi(store);
    await store.reserveOrder(reserve(another('B')));
    const before = await dataAbout(store, idOf('A'));
    assertEqual(await erase(store, 'A', 2), { conflict: 'order_changed' }, 'changed');
    for (const letter of 'BC')
      assertEqual(await erase(store, letter, 1), { conflict: 'order_missing' }, `order ${letter}`);
    assertEqual(await dataAbout(store, idOf('A')), before, 'unchanged');
    assertEqual(await store.listErasures(), [], 'counted');
    await erase(store, 'A', 3);
    assertEqual(
      await store.changeOrder(change({ version: 3, serialNumber: 'BudiPro/7' })),
      { conflict: 'order_changed' },
      'a change that was planned before',
    );
  },
  'a promo use of an erased order counts for its customer by the hash': async (store) => {
    await placeOfBudi(store);
    await erase(store, 'A', 3);
    const budi = claim({ customer: '6281277712345', perCustomer: 1 });
    assertEqual((await store.countPromoUses('TEN', budi.customer)).byCustomer, 0, 'by the number');
    const uses = { total: 1, byCustomer: 1 };
    assertEqual(await store.countPromoUses('TEN', budi.customer, hash), uses, 'by the hash');
    const again = place(another('B'), { promo: { ...budi, customerHash: hash } });
    assertEqual(await store.placeOrder(again), { conflict: 'promo_used' }, 'again');
    const other = place(another('B'), { promo: { ...budi, customerHash: 'b'.repeat(64) } });
    assertEqual(await store.placeOrder(other), ok, 'another customer');
  },
  'the secret of hashes is the first one, until who knows it replaces it': async (store) => {
    assertEqual(await store.findCustomerSecret(), null, 'at first');
    assertEqual(await store.setCustomerSecret('one', null), 'one', 'first');
    assertEqual(await store.setCustomerSecret('two', null), 'one', 'second');
    assertEqual(await store.setCustomerSecret('two', 'other'), 'one', 'of who does not know it');
    assertEqual(await store.setCustomerSecret('two', 'one'), 'two', 'replaced');
    assertEqual(await store.findCustomerSecret(), 'two', 'at last');
  },
};
