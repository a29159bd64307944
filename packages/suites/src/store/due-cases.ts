import type { Store, StoredUnit } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import { another, change, entry, expired, idOf, moment, paid, place, reserve, unit } from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

/** Places three unpaid orders, of which the second expires first. */
async function placeThree(store: Store): Promise<void> {
  for (const [letter, after] of [
    ['A', 30],
    ['B', 10],
    ['C', 20],
  ] as const)
    await store.placeOrder(place(another(letter, { expiresAt: moment + after })));
}

const lease = 30_000;
const claimOf = (by: string, now = moment) => ({ by, until: now + lease });

export const dueCases: StoreCases = {
  'a server has the work that it claims, also when it claims it again, and others have it once its claim is over':
    async (store) => {
      const sorted = async (...claim: Parameters<Store['claimWork']>) =>
        (await store.claimWork(...claim)).toSorted();
      assertEqual(await sorted(['b', 'a'], claimOf('one'), moment), ['a', 'b'], 'first');
      assertEqual(await sorted(['c', 'a'], claimOf('one'), moment), ['a', 'c'], 'again');
      const later = moment + lease;
      assertEqual(
        await sorted(['a', 'b'], claimOf('two', later), later),
        ['a', 'b'],
        'another server, later',
      );
      assertEqual(await store.claimWork([], claimOf('one'), moment), [], 'nothing');
    },
  'unpaid orders are overdue from their expiry on, the longest overdue first, up to the limit': async (
    store,
  ) => {
    await placeThree(store);
    const overdue = async (after: number, limit = 10) =>
      (await store.findOverdueOrders(moment + after, limit)).map(({ orderId }) => orderId);
    assertEqual(await overdue(9), [], 'before');
    assertEqual(await overdue(10), [idOf('B')], 'at the first expiry');
    assertEqual(await overdue(99), ['B', 'C', 'A'].map(idOf), 'after all');
    assertEqual(await overdue(99, 2), ['B', 'C'].map(idOf), 'two');
  },
  'an overdue order is returned with all its fields, and only while it is unpaid': async (store) => {
    await placeThree(store);
    await store.changeOrder(change({ orderId: idOf('B'), to: expired }));
    await store.changeOrder(change({ orderId: idOf('C'), to: paid }));
    const { expiresAt } = another('A', { expiresAt: moment + 30 });
    assertEqual(await store.findOverdueOrders(moment + 99, 10), [another('A', { expiresAt })], 'overdue');
  },
  'payments of a status are read by expiry and order id, from a place in that order': async (store) => {
    for (const [letter, after] of Object.entries({ A: 30, E: 10, C: 20, D: 20, B: 10, F: 5 }))
      await store.placeOrder(place(another(letter, { createdAt: moment - 1, expiresAt: moment + after })));
    await store.reserveOrder(reserve(another('G', { expiresAt: moment + 1 })));
    await store.changeOrder(change({ orderId: idOf('F'), to: paid }));
    for (const letter of 'BE') await store.changeOrder(change({ orderId: idOf(letter), to: expired }));
    const read = async (status: 'UNPAID' | 'EXPIRED', expiresAt: number, orderId: string, limit = 10) =>
      (await store.findPaymentsByExpiry(status, { expiresAt, orderId }, limit)).map(
        (payment) => payment.orderId,
      );
    assertEqual(await read('UNPAID', 0, ''), ['C', 'D', 'A'].map(idOf), 'unpaid');
    assertEqual(await read('UNPAID', 0, '', 2), ['C', 'D'].map(idOf), 'a page');
    assertEqual(await read('UNPAID', moment + 20, idOf('C')), ['D', 'A'].map(idOf), 'after one of two');
    assertEqual(await read('UNPAID', moment + 30, idOf('A')), [], 'after the last');
    assertEqual(await read('EXPIRED', 0, ''), ['B', 'E'].map(idOf), 'expired');
    assertEqual(await read('EXPIRED', moment + 10, idOf('B')), [idOf('E')], 'expired, after one of two');
    const [first] = await store.findPaymentsByExpiry('UNPAID', { expiresAt: 0, orderId: '' }, 1);
    assertEqual(
      first,
      { orderId: idOf('C'), createdAt: moment - 1, expiresAt: moment + 20 },
      'all that is read',
    );
  },
  'units are due from their next time on, the longest overdue first, up to the limit': async (store) => {
    for (const letter of 'AB') await store.placeOrder(place(another(letter)));
    const at = (number: number, after: number) => unit(number, { nextAt: moment + after });
    const settled = unit(3, { state: 'delivered', nextAt: null });
    await store.changeOrder(change({ orderId: idOf('A'), units: [at(1, 30), at(2, 10), settled] }));
    await store.changeOrder(change({ orderId: idOf('B'), units: [at(1, 20)] }));
    const due = (after: number, limit = 10) =>
      store.findDueUnits({ now: moment + after, latest: moment + 1_000 }, limit);
    const [first, second, third] = [
      { orderId: idOf('A'), unit: 2 },
      { orderId: idOf('B'), unit: 1 },
      { orderId: idOf('A'), unit: 1 },
    ];
    assertEqual(await due(9), [], 'before');
    assertEqual(await due(10), [first], 'at the first');
    assertEqual(await due(99), [first, second, third], 'after all');
    assertEqual(await due(99, 2), [first, second], 'two');
    await store.changeOrder(change({ orderId: idOf('A'), version: 2, units: [at(2, 40)] }));
    assertEqual(await due(39), [second, third], 'postponed');
    const done = unit(1, { state: 'failed', nextAt: null });
    await store.changeOrder(change({ orderId: idOf('B'), version: 2, units: [done] }));
    assertEqual(await due(39), [third], 'settled');
  },
  'units that are later than any schedule reaches are due: the clock was set back': async (store) => {
    for (const letter of 'AB') await store.placeOrder(place(another(letter)));
    const at = (number: number, after: number) => unit(number, { nextAt: moment + after });
    await store.changeOrder(change({ orderId: idOf('A'), units: [at(1, 30), at(2, 31), at(3, 10)] }));
    await store.changeOrder(change({ orderId: idOf('B'), units: [at(1, 99)] }));
    const due = (limit: number) => store.findDueUnits({ now: moment + 10, latest: moment + 30 }, limit);
    const [overdue, later, last] = [
      { orderId: idOf('A'), unit: 3 },
      { orderId: idOf('A'), unit: 2 },
      { orderId: idOf('B'), unit: 1 },
    ];
    assertEqual(await due(10), [overdue, later, last], 'all');
    assertEqual(await due(2), [overdue, later], 'two');
  },
  "attempts are found by the supplier's id, also those that another one followed": async (store) => {
    await placeThree(store);
    const bought = unit(2, { supplierId: 'T-1' });
    await store.changeOrder(change({ orderId: idOf('A'), units: [unit(1), bought] }));
    const named = (letter: string, attempt = 1) => ({ orderId: idOf(letter), unit: 2, attempt });
    const found = async (id = 'T-1') =>
      (await store.findAttemptsBySupplierId(id)).toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
    assertEqual(await found(), [named('A')], 'found');
    assertEqual(await found('T-9'), [], 'none');
    await store.changeOrder(change({ orderId: idOf('B'), units: [bought] }));
    assertEqual(await found(), [named('A'), named('B')], 'two');
    const { unit: number, attempt, askedAt, supplier, supplierId, reason } = bought;
    const nameless = { unit: 1, attempt, askedAt, supplier, supplierId: null, reason };
    const followed = entry({
      event: 'retried',
      attempts: [nameless, { unit: number, attempt, askedAt, supplier, supplierId, reason }],
    });
    const retried = unit(2, { attempt: 2, supplierId: 'T-2' });
    await store.changeOrder(change({ orderId: idOf('A'), version: 2, units: [retried], entry: followed }));
    assertEqual(await found(), [named('A'), named('B')], 'after a retry');
    assertEqual(await found('T-2'), [named('A', 2)], 'the retry');
    await store.changeOrder(
      change({ orderId: idOf('B'), version: 2, units: [unit(2, { supplierId: null })] }),
    );
    assertEqual(await found(), [named('A')], 'after its id was given up');
    await store.clearOrders();
    assertEqual(await found(), [], 'without orders');
  },
  'open payments are counted by gateway, and open deliveries by supplier': async (store) => {
    const counts = async () => {
      const { payments, deliveries } = await store.countOpenWork();
      return [payments, deliveries].map((counts) => [...counts].sort());
    };
    assertEqual(await counts(), [[], []], 'empty store');
    const gateways = { A: 'bank', B: 'bank', C: 'wallet', D: null };
    for (const [letter, gateway] of Object.entries(gateways))
      await store.placeOrder(place(another(letter, { gateway })));
    await store.reserveOrder(reserve(another('E', { gateway: 'wallet' })));
    const expected = [
      ['bank', 2],
      ['wallet', 2],
    ];
    assertEqual(await counts(), [expected, []], 'payments');
    const at = (number: number, supplier: string | null, over: Partial<StoredUnit> = {}) =>
      unit(number, { state: 'asked', supplier, findBy: supplier === null ? null : 'reference', ...over });
    const open = [at(1, 'depot'), at(2, 'depot', { state: 'unknown' }), at(3, 'shelf'), at(4, null)];
    const closed = [
      at(5, 'depot', { state: 'delivered', nextAt: null }),
      at(6, 'depot', { state: 'unknown', nextAt: null }),
      at(7, 'depot', { state: 'waiting' }),
    ];
    await store.changeOrder(change({ units: [...open, ...closed] }));
    const deliveries = [
      ['depot', 2],
      ['shelf', 1],
    ];
    assertEqual(await counts(), [[['bank', 1], expected[1]], deliveries], 'after a payment');
  },
  'the next due time is the earliest expiry of an unpaid order or next time of a unit': async (store) => {
    assertEqual(await store.nextDueAt(), null, 'empty store');
    await placeThree(store);
    assertEqual(await store.nextDueAt(), moment + 10, 'an expiry');
    await store.changeOrder(change({ orderId: idOf('B'), units: [unit(1, { nextAt: moment + 5 })] }));
    assertEqual(await store.nextDueAt(), moment + 5, 'a unit');
    const settled = unit(1, { state: 'delivered', nextAt: null });
    await store.changeOrder(change({ orderId: idOf('B'), version: 2, units: [settled] }));
    assertEqual(await store.nextDueAt(), moment + 20, 'the next expiry');
    for (const letter of 'AC')
      await store.changeOrder(change({ orderId: idOf(letter), units: [unit(1, { nextAt: moment + 50 })] }));
    assertEqual(await store.nextDueAt(), moment + 50, 'only units');
    for (const letter of 'AC')
      await store.changeOrder(change({ orderId: idOf(letter), version: 2, units: [settled] }));
    assertEqual(await store.nextDueAt(), null, 'nothing left');
  },
};
