import type { Store, StoredUnit } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import {
  another,
  change,
  delivered,
  entry,
  idOf,
  moment,
  ok,
  paid,
  place,
  reserve,
  unit,
} from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

const failed = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;

async function placeAll(store: Store, letters: string): Promise<void> {
  for (const letter of letters) await store.placeOrder(place(another(letter)));
}

export const problemCases: StoreCases = {
  'orders are stuck when a unit has been open since before a moment, or its outcome is unknown': async (
    store,
  ) => {
    await placeAll(store, 'ABCDE');
    const asked = (number: number, after: number) =>
      unit(number, { state: 'asked', askedAt: moment + after, nextAt: moment + 500 });
    const settled = unit(9, { state: 'delivered', askedAt: moment, nextAt: null });
    const unknown = unit(1, { state: 'unknown', askedAt: moment + 90, nextAt: null });
    const units = {
      A: [asked(1, 30), asked(2, 70), settled],
      B: [unit(1, { nextAt: moment + 20 })],
      C: [asked(1, 60)],
      D: [unknown],
      E: [settled],
    };
    for (const [letter, changed] of Object.entries(units))
      await store.changeOrder(change({ orderId: idOf(letter), units: changed }));
    const stuck = (after: number, limit = 10) =>
      store.findProblemOrders({ kind: 'stuck', before: moment + after }, limit);
    assertEqual(await stuck(20), [idOf('D')], 'only the unknown one');
    assertEqual(await stuck(31), ['D', 'B', 'A'].map(idOf), 'the oldest first, each once');
    assertEqual(await stuck(71), ['D', 'B', 'A', 'C'].map(idOf), 'all, by their oldest unit');
    assertEqual(await stuck(71, 2), ['D', 'B'].map(idOf), 'two');
  },
  'orders are stuck at a later attempt since they were paid, or an operator last retried them': async (
    store,
  ) => {
    await placeAll(store, 'ABC');
    const paidEntry = entry({ at: moment, event: 'paid' });
    const asked = (attempt: number, over: Partial<StoredUnit> = {}) =>
      unit(1, { attempt, state: 'asked', askedAt: moment + 60, nextAt: moment + 500, ...over });
    await store.changeOrder(change({ entry: paidEntry, units: [asked(1)] }));
    await store.changeOrder(change({ orderId: idOf('B'), entry: paidEntry, units: [asked(1)] }));
    await store.changeOrder(
      change({ orderId: idOf('C'), entry: paidEntry, units: [asked(2, { waitsFor: 'balance' })] }),
    );
    const stuck = (after: number) => store.findProblemOrders({ kind: 'stuck', before: moment + after }, 10);
    assertEqual(await stuck(30), [], 'a first attempt counts by itself');
    const retried = (by: 'supplier' | 'operator', at: number) =>
      entry({ at: moment + at, event: 'retried', by, from: failed, to: paid });
    const next = { version: 2, units: [asked(2)] };
    await store.changeOrder(change({ ...next, entry: retried('supplier', 55) }));
    await store.changeOrder(change({ ...next, orderId: idOf('B'), entry: retried('operator', 20) }));
    assertEqual(await stuck(20), [idOf('A')], 'the next attempt does not end it');
    assertEqual(await stuck(21), ['A', 'B'].map(idOf), 'since the retry by an operator');
    const waits = asked(3, { state: 'waiting', askedAt: null, nextAt: moment + 100 });
    await store.changeOrder(change({ version: 3, entry: retried('supplier', 80), units: [waits] }));
    assertEqual(await stuck(1), [idOf('A')], 'also while it waits');
    await store.changeOrder(
      change({ version: 4, to: delivered, units: [asked(3, { state: 'delivered', nextAt: null })] }),
    );
    assertEqual(await stuck(30), [idOf('B')], 'until it was delivered');
  },
  'orders with a unit that waits for the balance are found until it does no more, and are not stuck': async (
    store,
  ) => {
    await placeAll(store, 'ABCD');
    const asked = (number: number, waitsFor: 'balance' | null, supplier = 'depot') =>
      unit(number, {
        state: 'asked',
        askedAt: moment,
        nextAt: moment + 500,
        reason: 'rc 44',
        waitsFor,
        supplier,
      });
    const units = {
      B: [asked(1, 'balance'), asked(2, 'balance')],
      A: [asked(1, 'balance')],
      C: [asked(1, 'balance', 'shelf'), asked(2, null)],
      D: [asked(1, null)],
    };
    for (const [letter, changed] of Object.entries(units))
      await store.changeOrder(change({ orderId: idOf(letter), units: changed }));
    const unfunded = (limit = 10) => store.findProblemOrders({ kind: 'unfunded' }, limit);
    const stuck = () => store.findProblemOrders({ kind: 'stuck', before: moment + 1 }, 10);
    assertEqual(await unfunded(), ['A', 'B', 'C'].map(idOf), 'each once');
    assertEqual(await unfunded(2), ['A', 'B'].map(idOf), 'limit');
    const at = (supplier: string) => store.findProblemOrders({ kind: 'unfunded', supplier }, 10);
    assertEqual(await at('shelf'), [idOf('C')], 'of one supplier');
    assertEqual(await at('depot'), ['A', 'B'].map(idOf), 'of another one');
    assertEqual(await stuck(), ['C', 'D'].map(idOf), 'those with a unit that waits for nothing known');
    assertEqual(await store.findUnits(idOf('C')), units.C, 'read');
    const bought = { ...asked(1, 'balance'), state: 'delivered', nextAt: null } as const;
    await store.changeOrder(change({ version: 2, units: [bought] }));
    await store.changeOrder(change({ orderId: idOf('B'), version: 2, units: [asked(1, null)] }));
    assertEqual(await unfunded(), ['B', 'C'].map(idOf), 'one was bought');
    assertEqual(await stuck(), ['B', 'C', 'D'].map(idOf), 'an order may be both');
  },
  'orders whose delivery failed are found until they are retried or refunded': async (store) => {
    await placeAll(store, 'ABC');
    for (const letter of 'AB') await store.changeOrder(change({ orderId: idOf(letter), to: failed }));
    await store.changeOrder(change({ orderId: idOf('C'), to: delivered }));
    const failedOrders = async () => (await store.findProblemOrders({ kind: 'failed' }, 10)).sort();
    assertEqual(await failedOrders(), ['A', 'B'].map(idOf), 'two');
    assertEqual((await store.findProblemOrders({ kind: 'failed' }, 1)).length, 1, 'limit');
    await store.changeOrder(change({ orderId: idOf('A'), version: 2 }));
    assertEqual(await failedOrders(), [idOf('B')], 'one was retried');
    const refunded = { paymentStatus: 'REFUND', buyStatus: 'Gagal' } as const;
    await store.changeOrder(change({ orderId: idOf('B'), version: 2, to: refunded }));
    assertEqual(await failedOrders(), [], 'the other was refunded');
  },
  'a contradiction of a unit is stored, and its order is found until it is cleared': async (store) => {
    await placeAll(store, 'AB');
    const at = (contradiction: string | null) => unit(1, { state: 'failed', nextAt: null, contradiction });
    const both = [at('It was delivered after all.'), { ...at('So was this.'), unit: 2 }];
    assertEqual(await store.changeOrder(change({ to: failed, units: both })), ok, 'stored');
    assertEqual(await store.findUnits(idOf('A')), both, 'read');
    const contradicted = () => store.findProblemOrders({ kind: 'contradicted' }, 10);
    const failures = () => store.findProblemOrders({ kind: 'failed' }, 10);
    assertEqual(await contradicted(), [idOf('A')], 'found once');
    assertEqual(await failures(), [], 'not to be retried');
    const cleared = both.map((unit) => ({ ...unit, contradiction: null }));
    await store.changeOrder(change({ version: 2, to: failed, units: cleared }));
    assertEqual(await contradicted(), [], 'cleared');
    assertEqual(await failures(), [idOf('A')], 'failed for good');
  },
  'orders that are reserved since before a moment are found, the oldest first': async (store) => {
    for (const [letter, after] of [
      ['A', 30],
      ['B', 10],
    ] as const)
      await store.reserveOrder(reserve(another(letter, { createdAt: moment + after })));
    const listed = (after: number, limit = 10) =>
      store.findProblemOrders({ kind: 'reserved', before: moment + after }, limit);
    assertEqual(await listed(10), [], 'none');
    assertEqual(await listed(11), [idOf('B')], 'one');
    assertEqual(await listed(31), ['B', 'A'].map(idOf), 'both');
    assertEqual(await listed(31, 1), [idOf('B')], 'limit');
  },
  'the last balance at each supplier is kept, also when the orders are deleted': async (store) => {
    assertEqual(await store.readSupplierBalances(), [], 'none');
    const balance = { supplier: 'supplier', balance: 300_000, alertBelow: 500_000, readAt: moment };
    assertEqual(await store.saveSupplierBalance(balance), ok, 'first');
    const later = { ...balance, balance: 250_000, readAt: moment + 1 };
    await store.saveSupplierBalance(later);
    const other = { ...balance, supplier: 'depot' };
    await store.saveSupplierBalance(other);
    await store.clearOrders();
    assertEqual(await store.readSupplierBalances(), [other, later], 'last');
  },
  'which requests a provider does not handle is replaced as a whole': async (store) => {
    assertEqual(await store.readProviderProblems(), [], 'none');
    const problems = (['balance', 'purchases'] as const).map((call, index) => ({
      provider: 'supplier',
      call,
      problem: `rejected: ${call}`,
      since: moment + index,
    }));
    assertEqual(await store.saveProviderProblems(problems), ok, 'two');
    await store.clearOrders();
    assertEqual(await store.readProviderProblems(), problems, 'both');
    await store.saveProviderProblems(problems.slice(1));
    assertEqual(await store.readProviderProblems(), problems.slice(1), 'one');
  },
};
