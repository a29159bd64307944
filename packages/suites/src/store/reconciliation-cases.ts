import { type CloseRefund, type ReconciliationFilter, reconciliationReasons } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import { another, change, entry, moment, ok, place, reconciliation, refund } from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

const idOf = ({ reconciliationId }: { reconciliationId: string }): string => reconciliationId;

export const reconciliationCases: StoreCases = {
  'a reconciliation is added once, also after it was closed': async (store) => {
    assertEqual(await store.listReconciliations(), [], 'none');
    assertEqual(await store.addReconciliation(reconciliation()), ok, 'first');
    assertEqual(await store.addReconciliation(reconciliation()), ok, 'again');
    assertEqual(await store.listReconciliations(), [reconciliation()], 'added');
    await store.returnReconciliation('rec-1', 'sent back');
    assertEqual(await store.addReconciliation(reconciliation()), ok, 'after its return');
    const returned = reconciliation({ state: 'returned', note: 'sent back' });
    assertEqual(await store.listReconciliations(), [returned], 'returned');
  },
  'a reconciliation may have any of the reasons': async (store) => {
    const each = reconciliationReasons.map((reason) => reconciliation({ reconciliationId: reason, reason }));
    for (const payment of each) assertEqual(await store.addReconciliation(payment), ok, payment.reason);
    assertEqual(await store.listReconciliations(), each, 'all');
  },
  'reconciliations are listed oldest first, of one state or all': async (store) => {
    await store.placeOrder(place(another('A')));
    const noticed = [3, 1, 2].map((after) =>
      reconciliation({ reconciliationId: `rec-${after}`, noticedAt: moment + after }),
    );
    for (const payment of noticed) await store.addReconciliation(payment);
    await store.changeOrder(change({ settles: ['rec-1'] }));
    await store.returnReconciliation('rec-3', 'sent back');
    assertEqual((await store.listReconciliations()).map(idOf), ['rec-1', 'rec-2', 'rec-3'], 'all');
    assertEqual((await store.listReconciliations({ state: 'open' })).map(idOf), ['rec-2'], 'open');
    assertEqual((await store.listReconciliations({ state: 'settled' })).map(idOf), ['rec-1'], 'settled');
    assertEqual((await store.listReconciliations({ state: 'returned' })).map(idOf), ['rec-3'], 'returned');
  },
  'reconciliations are found by their id, their order and their reference, alone and combined': async (
    store,
  ) => {
    const each = [
      reconciliation(),
      reconciliation({ reconciliationId: 'rec-2', orderId: another('B').orderId, reference: 'ref-B' }),
      reconciliation({ reconciliationId: 'rec-3', reference: 'ref-B' }),
      reconciliation({ reconciliationId: 'rec-4', orderId: null, reference: 'ref-C' }),
    ];
    for (const payment of each) await store.addReconciliation(payment);
    const { orderId } = another('A');
    const filters: [ReconciliationFilter, string[]][] = [
      [{ reconciliationId: 'rec-2' }, ['rec-2']],
      [{ orderId }, ['rec-1', 'rec-3']],
      [{ reference: 'ref-B' }, ['rec-2', 'rec-3']],
      [{ orderId, reference: 'ref-B' }, ['rec-3']],
      [{ reconciliationId: 'rec-1', reference: 'ref-B' }, []],
      [{ reference: 'ref-Z' }, []],
    ];
    for (const [filter, expected] of filters)
      assertEqual((await store.listReconciliations(filter)).map(idOf), expected, JSON.stringify(filter));
  },
  'a change of an order settles its reconciliation, and only once': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.addReconciliation(reconciliation());
    assertEqual(await store.changeOrder(change({ settles: ['rec-1'] })), ok, 'settle');
    assertEqual(await store.listReconciliations(), [reconciliation({ state: 'settled' })], 'settled');
    const again = change({ version: 2, settles: ['rec-1'] });
    assertEqual(await store.changeOrder(again), { conflict: 'order_changed' }, 'again');
    assertEqual((await store.findOrder(another('A').orderId))?.version, 2, 'version');
  },
  'who settled or returned a payment, and when, is kept': async (store) => {
    await store.placeOrder(place(another('A')));
    for (const id of ['rec-1', 'rec-2', 'rec-3'])
      await store.addReconciliation(reconciliation({ reconciliationId: id }));
    const line = entry({ event: 'settled', by: 'operator', operator: 'ani' });
    assertEqual(await store.changeOrder(change({ settles: ['rec-1'], entry: line })), ok, 'settle');
    const closed = { closedAt: moment + 7, closedBy: 'budi' };
    assertEqual(await store.returnReconciliation('rec-2', 'sent back', closed), ok, 'return');
    assertEqual(
      await store.listReconciliations(),
      [
        reconciliation({ state: 'settled', closedAt: line.at, closedBy: 'ani' }),
        reconciliation({ reconciliationId: 'rec-2', state: 'returned', note: 'sent back', ...closed }),
        reconciliation({ reconciliationId: 'rec-3' }),
      ],
      'all',
    );
  },
  'a change of an order settles all of its reconciliations or none': async (store) => {
    await store.placeOrder(place(another('A')));
    for (const id of ['rec-1', 'rec-2'])
      await store.addReconciliation(reconciliation({ reconciliationId: id }));
    const settling = change({ settles: ['rec-1', 'rec-9'] });
    assertEqual(await store.changeOrder(settling), { conflict: 'order_changed' }, 'one is missing');
    assertEqual(
      (await store.listReconciliations({ state: 'open' })).map(idOf),
      ['rec-1', 'rec-2'],
      'still open',
    );
    assertEqual(await store.changeOrder(change({ settles: ['rec-1', 'rec-2'] })), ok, 'both');
    assertEqual(
      (await store.listReconciliations({ state: 'settled' })).map(idOf),
      ['rec-1', 'rec-2'],
      'settled',
    );
  },
  'money of no order belongs to the order that it settles, and to no other': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.placeOrder(place(another('B')));
    const unknown = reconciliation({ orderId: null, reason: 'unknown' });
    await store.addReconciliation(unknown);
    await store.addReconciliation(reconciliation({ reconciliationId: 'rec-2' }));
    assertEqual((await store.listReconciliations({ state: 'open' })).at(0), unknown, 'open');
    const ofB = { orderId: another('B').orderId };
    const others = await store.changeOrder(change({ ...ofB, settles: ['rec-2'] }));
    assertEqual(others, { conflict: 'order_changed' }, 'of another order');
    assertEqual(await store.changeOrder(change({ ...ofB, settles: ['rec-1'] })), ok, 'settle');
    const settled = reconciliation({ ...ofB, reason: 'unknown', state: 'settled' });
    assertEqual(await store.listReconciliations({ state: 'settled' }), [settled], 'settled');
    const again = change({ settles: ['rec-1'] });
    assertEqual(await store.changeOrder(again), { conflict: 'order_changed' }, 'again');
  },
  'a payment is returned once, and not after it settled an order': async (store) => {
    await store.placeOrder(place(another('A')));
    for (const id of ['rec-1', 'rec-2'])
      await store.addReconciliation(reconciliation({ reconciliationId: id }));
    const returnIt = (id: string) => store.returnReconciliation(id, 'sent back');
    assertEqual(await returnIt('rec-9'), { conflict: 'reconciliation_missing' }, 'unknown');
    assertEqual(await returnIt('rec-1'), ok, 'open');
    const again = await store.returnReconciliation('rec-1', 'another note');
    assertEqual(again, { conflict: 'reconciliation_closed' }, 'again');
    const returned = reconciliation({ state: 'returned', note: 'sent back' });
    assertEqual(await store.listReconciliations({ state: 'returned' }), [returned], 'returned');
    await store.changeOrder(change({ settles: ['rec-2'] }));
    assertEqual(await returnIt('rec-2'), { conflict: 'reconciliation_closed' }, 'settled');
  },
  'a payment is returned or settles an order, but never both': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.addReconciliation(reconciliation());
    const outcomes = await Promise.all([
      store.changeOrder(change({ settles: ['rec-1'] })),
      store.returnReconciliation('rec-1', 'sent back'),
    ]);
    assertEqual(outcomes.filter((outcome) => 'done' in outcome).length, 1, 'done');
  },
};

const ofA = refund().orderId;

const closing = (over: Partial<CloseRefund> = {}): CloseRefund => ({
  refundId: refund().refundId,
  state: 'paid',
  reference: 'BCA 7781',
  closedAt: moment + 200_000,
  closedBy: 'budi',
  ...over,
});

export const refundCases: StoreCases = {
  'the refunds of a change are stored with all their fields, and belong to their order': async (store) => {
    for (const letter of 'AB') await store.placeOrder(place(another(letter)));
    assertEqual(await store.listRefunds(), [], 'none');
    const byGateway = refund({
      refundId: `${ofA}-R2`,
      units: [],
      operator: null,
      note: null,
      state: 'paid',
      reference: 'ref-A',
      closedAt: moment + 90_000,
    });
    assertEqual(await store.changeOrder(change({ refunds: [refund(), byGateway] })), ok, 'change');
    assertEqual(await store.findRefunds(ofA), [refund(), byGateway], 'of the order');
    assertEqual(await store.findRefunds(another('B').orderId), [], 'of another order');
    assertEqual(await store.listRefunds(), [refund(), byGateway], 'all');
  },
  'refunds are listed oldest first, of one state or all': async (store) => {
    await store.placeOrder(place(another('A')));
    const added = [3, 1, 2, 4].map((after) =>
      refund({ refundId: `${ofA}-R${after}`, at: moment + after, amount: after }),
    );
    for (const [index, reconciliation] of added.entries())
      await store.changeOrder(change({ version: index + 1, refunds: [reconciliation] }));
    await store.closeRefund(closing());
    await store.closeRefund(closing({ refundId: `${ofA}-R2`, state: 'cancelled', reference: 'delivered' }));
    const amounts = async (...state: Parameters<typeof store.listRefunds>) =>
      (await store.listRefunds(...state)).map(({ amount }) => amount);
    assertEqual(await amounts(), [1, 2, 3, 4], 'all');
    assertEqual(await amounts('to-pay'), [3, 4], 'to pay');
    assertEqual(await amounts('paid'), [1], 'paid');
    assertEqual(await amounts('cancelled'), [2], 'cancelled');
    assertEqual(
      (await store.findRefunds(ofA)).map(({ amount }) => amount),
      [1, 2, 3, 4],
      'of the order',
    );
  },
  'a refund is closed once, with who did it, when and how': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(change({ refunds: [refund()] }));
    const unknown = await store.closeRefund(closing({ refundId: `${ofA}-R9` }));
    assertEqual(unknown, { conflict: 'refund_missing' }, 'unknown');
    assertEqual(await store.closeRefund(closing()), ok, 'first');
    const again = await store.closeRefund(closing({ state: 'cancelled', closedBy: 'ani' }));
    assertEqual(again, { conflict: 'refund_closed' }, 'again');
    const paid = {
      state: 'paid',
      reference: 'BCA 7781',
      closedAt: moment + 200_000,
      closedBy: 'budi',
    } as const;
    assertEqual(await store.findRefunds(ofA), [refund(paid)], 'paid');
  },
  'of many who close a refund at once, one does': async (store) => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(change({ refunds: [refund()] }));
    const who = ['ani', 'budi', 'cici', 'dedi'];
    const outcomes = await Promise.all(who.map((closedBy) => store.closeRefund(closing({ closedBy }))));
    const first = outcomes.findIndex((outcome) => 'done' in outcome);
    assertEqual(outcomes.filter((outcome) => 'done' in outcome).length, 1, 'done');
    assertEqual((await store.findRefunds(ofA))[0]?.closedBy, who[first], 'by');
  },
};
