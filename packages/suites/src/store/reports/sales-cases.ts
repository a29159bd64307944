import type { ChangeOrder, Store, StoredUnit } from '@topup-kit/core/store';
import { assertEqual } from '../../assertions.ts';
import {
  another,
  change,
  entry,
  expired,
  idOf,
  moment,
  order,
  paid,
  place,
  reconciliation,
  refund,
  reserve,
  unit,
} from '../fixtures.ts';
import type { StoreCases } from '../store-case.ts';

const day = 24 * 60 * 60_000;
const always = { from: 0, before: moment + 365 * day };
const a = another('A').orderId;

const gagal = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;
const sukses = { paymentStatus: 'PAID', buyStatus: 'Sukses' } as const;

/** Prepares all due orders; returns their number. */
async function prepareAll(store: Store): Promise<number> {
  let count = 0;
  for (;;) {
    const prepared = await store.prepareSales(2);
    if (prepared === 0) return count;
    count += prepared;
  }
}

/** Returns the sums of a period by a key, without zeros. */
async function sums(store: Store, by: Parameters<Store['sumSales']>[1], span = always) {
  await prepareAll(store);
  return (await store.sumSales(span, by)).map((sum) =>
    Object.fromEntries(Object.entries(sum).filter(([, value]) => value !== 0)),
  );
}

/** Expects the sales of the only game, without zeros. */
async function expectGame(store: Store, expected: object, what: string, span = always): Promise<void> {
  assertEqual(await sums(store, 'game', span), [{ key: 'mobile-legends', ...expected }], what);
}

const bought = (over: Partial<StoredUnit> = {}): StoredUnit =>
  unit(1, {
    state: 'delivered',
    nextAt: null,
    supplier: 'depot',
    cost: 20_000,
    costSource: 'supplier',
    ...over,
  });

/** Creates the change that pays an order of 22,000, and starts its delivery. */
const pays = (over: Partial<ChangeOrder> = {}): ChangeOrder =>
  change({ entry: entry({ at: moment + 1_000, paidAt: moment }), units: [unit(1)], ...over });
const delivers = (over: Partial<ChangeOrder> = {}): ChangeOrder =>
  change({
    version: 2,
    to: sukses,
    entry: entry({ at: moment + 2_000, event: 'delivered', to: sukses }),
    units: [bought()],
    ...over,
  });
const fails = (over: Partial<ChangeOrder> = {}): ChangeOrder =>
  delivers({
    to: gagal,
    entry: entry({ at: moment + day, event: 'undelivered', to: gagal }),
    units: [bought({ state: 'failed' })],
    ...over,
  });

const sale = { orders: 1, units: 1, turnover: 22_000 };

export const salesCases: StoreCases = {
  'an erased order still counts': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(change({ to: paid, units: [unit(1)] }));
    const before = await sums(store, 'quarterHour');
    const erasure = { at: moment + 5, by: 'ani' };
    await store.eraseOrder({ orderId: a, version: 2, customerHash: 'a'.repeat(64), erasure });
    assertEqual([before.length > 0, await sums(store, 'quarterHour')], [true, before], 'sums');
  },
  'orders of a span are counted by payment method and state, and reserved ones are not': async (store) => {
    const { paymentMethod } = order();
    const method = { ...paymentMethod, id: paymentMethod.id + 1 };
    for (const [index, letter] of ['A', 'B', 'C', 'D'].entries())
      await store.placeOrder(
        place(
          another(letter, { createdAt: moment + index, ...(letter === 'C' && { paymentMethod: method }) }),
        ),
      );
    await store.reserveOrder(reserve(another('E', { createdAt: moment + 1 })));
    await store.changeOrder(change({ orderId: idOf('B'), to: paid }));
    const counted = async (from: number, before: number): Promise<string[]> =>
      (await store.countOutcomes({ from, before }))
        .map(
          ({ paymentMethodId, paymentStatus, buyStatus, count }) =>
            `${paymentMethodId - paymentMethod.id} ${paymentStatus} ${buyStatus} ${count}`,
        )
        .sort();
    assertEqual(
      await counted(moment, moment + 4),
      ['0 PAID Proses 1', '0 UNPAID Pending 2', '1 UNPAID Pending 1'],
      'all',
    );
    assertEqual(await counted(moment + 1, moment + 3), ['0 PAID Proses 1', '1 UNPAID Pending 1'], 'a span');
    assertEqual(await counted(moment + 4, moment + 9), [], 'a span without any');
  },
  'sales are summed by what they have in common': async (store) => {
    const details = { game: { ...another('B').game, slug: 'free-fire' }, accountId: 'other' };
    const discounted = {
      ...another('B').pricing,
      promo_discount: 2_000,
      payment_fee: 300,
      total_price: 20_300,
    };
    await store.placeOrder(place(another('A')));
    await store.placeOrder(place(another('B', { ...details, pricing: discounted })));
    await store.placeOrder(place(another('C')));
    await store.changeOrder(pays());
    await store.changeOrder(delivers());
    const { orderId } = another('B');
    await store.changeOrder(
      pays({ orderId, entry: entry({ at: moment + 1_000, paidAt: moment, fee: 150 }) }),
    );
    const listed = bought({ costSource: 'listed', supplier: 'bulk', cost: 19_000 });
    await store.changeOrder(delivers({ orderId, units: [listed] }));

    const ofA = { ...sale, cost: 20_000 };
    const ofB = {
      orders: 1,
      units: 1,
      turnover: 20_300,
      discounts: 2_000,
      gatewayFees: 150,
      reportedFees: 150,
      cost: 19_000,
      listedCost: 19_000,
    };
    const both = (keyOfB: string, keyOfA: string) => [
      { key: keyOfB, ...ofB },
      { key: keyOfA, ...ofA },
    ];
    assertEqual(await sums(store, 'game'), both('free-fire', 'mobile-legends'), 'by game');
    assertEqual(await sums(store, 'supplier'), both('bulk', 'depot'), 'by supplier');
    assertEqual(await sums(store, 'account'), both('other', 'shop'), 'by account');
    const whole = { ...ofB, orders: 2, units: 2, turnover: 42_300, cost: 39_000 };
    assertEqual(await sums(store, 'product'), [{ key: 'ML86', ...whole }], 'by product');
    assertEqual(await sums(store, 'method'), [{ key: 'BANK_TRANSFER', ...whole }], 'by method');
    assertEqual(
      await sums(store, 'quarterHour'),
      [{ key: String(moment / 900_000), ...whole }],
      'by quarter of an hour',
    );
  },
  'a sale is of the moment of its payment; a span has its first moment and not its last': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(pays());
    await expectGame(store, { ...sale, unknownCosts: 1 }, 'in the span', {
      from: moment,
      before: moment + 1,
    });
    assertEqual(await sums(store, 'game', { from: moment + 1, before: moment + day }), [], 'after it');
    assertEqual(await sums(store, 'game', { from: 0, before: moment }), [], 'before it');
  },
  'a failed delivery lowers the sales when it happens, and a later delivery raises them again': async (
    store,
  ) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(pays());
    await store.changeOrder(fails());
    const [first, later] = [
      { from: 0, before: moment + day },
      { from: moment + day, before: moment + 2 * day },
    ];
    await expectGame(store, sale, 'its day', first);
    await expectGame(store, { returned: 22_000 }, 'the next day', later);

    const proses = { paymentStatus: 'PAID', buyStatus: 'Proses' } as const;
    const attempts = [
      { unit: 1, attempt: 1, askedAt: null, supplier: 'depot', supplierId: null, reason: null },
    ];
    const retried = entry({ at: moment + 2 * day, event: 'retried', to: proses, attempts });
    await store.changeOrder(
      change({ version: 3, to: proses, entry: retried, units: [unit(1, { attempt: 2 })] }),
    );
    const at = moment + 2 * day + 1;
    await store.changeOrder(
      delivers({
        version: 4,
        entry: entry({ at, event: 'delivered', to: sukses }),
        units: [bought({ attempt: 2 })],
      }),
    );
    const last = { from: moment + 2 * day, before: moment + 3 * day };
    await expectGame(store, { returned: 22_000 }, 'still', later);
    await expectGame(store, { returned: -22_000 }, 'tried again', last);
    await expectGame(store, { ...sale, cost: 20_000 }, 'in all');
  },
  'a refund of what failed lowers the sales once, and one of more by the rest': async (store) => {
    const pricing = { ...another('A').pricing, quantity: 2, total_price: 44_001 };
    await store.placeOrder(place(another('A', { pricing })));
    await store.changeOrder(pays({ units: [unit(1), unit(2)] }));
    await store.changeOrder(fails({ units: [bought(), bought({ unit: 2, state: 'failed' })] }));
    const refunded = { paymentStatus: 'REFUND', buyStatus: 'Gagal' } as const;
    const at = moment + 2 * day;
    const made = (amount: number, number: number) =>
      refund({ refundId: `${a}-R${number}`, amount, at, units: [2] });
    const back = (version: number, amount: number) =>
      change({
        version,
        to: refunded,
        refunds: [made(amount, version)],
        entry: entry({ at, event: 'refunded', to: refunded, amount }),
      });
    const half = { orders: 1, units: 2, turnover: 44_001, cost: 20_000 };
    await expectGame(store, { ...half, returned: 22_001 }, 'failed');
    await store.changeOrder(back(3, 22_001));
    await expectGame(store, { ...half, returned: 22_001 }, 'refunded');
    await store.changeOrder(back(4, 22_000));
    await expectGame(store, { ...half, returned: 44_001 }, 'all');

    const closing = { refundId: `${a}-R4`, reference: 'not owed', closedAt: at + day, closedBy: 'ani' };
    await store.closeRefund({ ...closing, state: 'cancelled' });
    await expectGame(store, { ...half, returned: 22_001 }, 'cancelled');
    const after = { from: at + day, before: at + 2 * day };
    await expectGame(store, { returned: -22_000 }, 'on that day', after);
  },
  'what the gateway paid back of a delivered order lowers the sales on that day, until a refund has it':
    async (store) => {
      await store.placeOrder(place(another('A')));
      await store.changeOrder(pays());
      await store.changeOrder(delivers());
      await prepareAll(store);
      const paidAt = moment + 2 * day;
      await store.addReconciliation(reconciliation({ reason: 'refunded', amount: 9_000, paidAt }));
      const delivered = { ...sale, cost: 20_000 };
      await expectGame(store, { ...delivered, returned: 9_000 }, 'open');
      const onThatDay = { from: paidAt, before: paidAt + 1 };
      await expectGame(store, { returned: 9_000 }, 'its day', onThatDay);
      await store.returnReconciliation('rec-1', 'seen', { closedAt: paidAt + day, closedBy: 'ani' });
      await expectGame(store, { ...delivered, returned: 9_000 }, 'closed');

      await store.addReconciliation(
        reconciliation({ reconciliationId: 'rec-2', reason: 'refunded', amount: 3_000, paidAt }),
      );
      const entryOfRefund = entry({ at: paidAt + day, event: 'refunded', to: sukses, amount: 3_000 });
      const closing = { state: 'paid', closedAt: paidAt, closedBy: null } as const;
      await store.changeOrder(
        change({
          version: 3,
          to: sukses,
          entry: entryOfRefund,
          settles: ['rec-2'],
          refunds: [refund({ refundId: `${a}-R1`, amount: 3_000, at: paidAt + day, ...closing })],
        }),
      );
      await expectGame(store, { ...delivered, returned: 12_000 }, 'both');
      await expectGame(store, { returned: 12_000 }, 'that day', onThatDay);
    },
  'what the gateway paid back of an order that was paid twice is no loss once the second payment is returned':
    async (store) => {
      await store.placeOrder(place(another('A')));
      await store.changeOrder(pays());
      await store.changeOrder(delivers());
      const again = reconciliation({ reason: 'closed', amount: 22_000, fee: 300 });
      await store.addReconciliation(again);
      await store.addReconciliation(
        reconciliation({ reconciliationId: 'rec-2', reason: 'refunded', amount: 22_000 }),
      );
      const sold = { ...sale, cost: 20_000 };
      await expectGame(store, { ...sold, returned: 22_000 }, 'open');
      const closing = { closedAt: moment + 3 * day, closedBy: 'ani' };
      await store.returnReconciliation('rec-1', 'by the gateway', closing);
      const kept = { gatewayFees: 300, reportedFees: 300 };
      await expectGame(store, { ...sold, ...kept }, 'returned');
    },
  'a returned payment costs its fee on the day of its return, also of an unpaid order or of none': async (
    store,
  ) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(change({ to: expired, entry: entry({ event: 'expired', to: expired }) }));
    await store.addReconciliation(reconciliation({ fee: 1_124 }));
    const stray = { orderId: null, reference: 'nobody', reason: 'unknown', fee: 700 } as const;
    await store.addReconciliation(reconciliation({ reconciliationId: 'rec-2', ...stray }));
    assertEqual(await sums(store, 'game'), [], 'while nobody decided');
    const closing = { closedAt: moment + 3 * day, closedBy: 'ani' };
    for (const id of ['rec-1', 'rec-2']) await store.returnReconciliation(id, 'by transfer', closing);
    const onThatDay = { from: closing.closedAt, before: closing.closedAt + 1 };
    assertEqual(
      await sums(store, 'game', onThatDay),
      [
        { key: '', gatewayFees: 700, reportedFees: 700 },
        { key: 'mobile-legends', gatewayFees: 1_124, reportedFees: 1_124 },
      ],
      'by game',
    );
  },
  'a payment that was paid back before it was noticed costs its fee, though its order failed': async (
    store,
  ) => {
    await store.placeOrder(place(another('A')));
    const failed = { paymentStatus: 'FAILED', buyStatus: 'Batal' } as const;
    await store.changeOrder(
      change({ to: failed, entry: entry({ at: moment + day, event: 'failed', to: failed, fee: 700 }) }),
    );
    const kept = [{ key: 'mobile-legends', gatewayFees: 700, reportedFees: 700 }];
    assertEqual(await sums(store, 'game'), kept, 'in all');
    const onThatDay = { from: moment + day, before: moment + day + 1 };
    assertEqual(await sums(store, 'game', onThatDay), kept, 'on that day');
  },
  'orders that were not paid are no sales, and none is prepared twice without a change': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(change({ to: expired, entry: entry({ event: 'expired', to: expired }) }));
    assertEqual(await sums(store, 'game'), [], 'expired');
    await store.changeOrder(pays({ version: 2 }));
    await prepareAll(store);
    assertEqual(await store.prepareSales(10), 0, 'again');
    await expectGame(store, { ...sale, unknownCosts: 1 }, 'once');
    await store.clearOrders();
    assertEqual(await sums(store, 'game'), [], 'cleared');
  },
  'an item that waits costs what is listed, so that there is no profit before it is bought': async (
    store,
  ) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(pays());
    const waits = { state: 'waiting', nextAt: moment, reason: 'closed', cost: 19_000 } as const;
    await store.changeOrder(change({ version: 2, units: [unit(1, { ...waits, costSource: 'listed' })] }));
    const row = { key: 'mobile-legends', ...sale, cost: 19_000, listedCost: 19_000 };
    assertEqual(await sums(store, 'game'), [row], 'sums');
  },
  'a delivered item whose cost nobody said is counted': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(pays());
    await store.changeOrder(delivers({ units: [bought({ cost: null, costSource: null })] }));
    await expectGame(store, { ...sale, unknownCosts: 1 }, 'sums');
  },
};
