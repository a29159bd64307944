import type { Activity } from '@topup-kit/core/store';
import { assertEqual } from '../assertions.ts';
import {
  another,
  change,
  entry,
  listedActivity,
  moment,
  ok,
  place,
  reconciliation,
  refund,
} from './fixtures.ts';
import type { StoreCases } from './store-case.ts';

const { orderId } = another('A');

const key = (id: string, over: Partial<Activity> = {}): Activity => ({
  at: moment,
  operator: 'ani',
  action: 'key.created',
  subject: id,
  amount: null,
  ...over,
});

export const activityCases: StoreCases = {
  'the last backup is kept with when one is overdue, and each is an activity': async (store) => {
    const state = { backedUpAt: null, alertAfter: 0, alertSince: null, firstOrderAt: null };
    assertEqual(await store.readBackupState(), state, 'empty store');
    await store.placeOrder(place(another('B', { createdAt: moment + 5 })));
    await store.placeOrder(place(another('A', { createdAt: moment + 6 })));
    await store.saveBackupAlert(0, moment);
    await store.saveBackupAlert(1_000, moment + 2);
    await store.noteBackup({ at: moment, operator: 'Dewi', file: 'monday.db' });
    await store.saveBackupAlert(2_000, moment + 3);
    await store.noteBackup({ at: moment + 1, operator: 'Budi', file: 'friday.db' });
    const known = {
      backedUpAt: moment + 1,
      firstOrderAt: moment + 5,
      alertAfter: 2_000,
      alertSince: moment + 2,
    };
    assertEqual(await store.readBackupState(), known, 'state');
    const made = { action: 'backup.made', amount: null };
    assertEqual(
      await listedActivity(store),
      [
        { ...made, at: moment + 1, operator: 'Budi', subject: 'friday.db' },
        { ...made, at: moment, operator: 'Dewi', subject: 'monday.db' },
      ],
      'activity',
    );
  },
  "an operator's change of an order is an activity, and no other change is": async (store) => {
    await store.placeOrder(place(another('A')));
    const byGateway = entry({ event: 'paid', by: 'gateway' });
    assertEqual(await store.changeOrder(change({ entry: byGateway })), ok, 'by the gateway');
    const refunded = entry({ event: 'refunded', by: 'operator', operator: 'ani', amount: 7_000 });
    assertEqual(await store.changeOrder(change({ version: 2, entry: refunded })), ok, 'by an operator');
    const nameless = entry({ event: 'noted', by: 'operator' });
    assertEqual(await store.changeOrder(change({ version: 3, entry: nameless })), ok, 'without a name');
    assertEqual(
      await listedActivity(store),
      [
        { at: nameless.at, operator: '', action: 'order.noted', subject: orderId, amount: null },
        { at: refunded.at, operator: 'ani', action: 'order.refunded', subject: orderId, amount: 7_000 },
      ],
      'activity',
    );
    const late = change({ version: 1, entry: refunded });
    assertEqual(await store.changeOrder(late), { conflict: 'order_changed' }, 'a conflict');
    assertEqual((await listedActivity(store)).length, 2, 'after the conflict');
  },
  'the end of a refund and of a payment by an operator is an activity with its amount': async (store) => {
    await store.placeOrder(place(another('A')));
    const refunds = [refund(), refund({ refundId: 'ref-2' }), refund({ refundId: 'ref-3' })];
    await store.changeOrder(change({ entry: null, refunds }));
    for (const reconciliationId of ['rec-1', 'rec-2'])
      await store.addReconciliation(reconciliation({ reconciliationId }));
    const closed = { closedAt: moment + 1, closedBy: 'budi' };
    const [first] = refunds.map(({ refundId }) => refundId);
    await store.closeRefund({ refundId: first ?? '', state: 'paid', reference: '7781', ...closed });
    await store.closeRefund({ refundId: first ?? '', state: 'cancelled', reference: 'twice', ...closed });
    await store.closeRefund({ refundId: 'ref-2', state: 'cancelled', reference: 'arrived', ...closed });
    const byGateway = { closedAt: moment, closedBy: null };
    await store.closeRefund({ refundId: 'ref-3', state: 'paid', reference: 'gateway', ...byGateway });
    await store.returnReconciliation('rec-1', 'sent back', closed);
    await store.returnReconciliation('rec-1', 'again', closed);
    await store.returnReconciliation('rec-2', 'by the gateway', byGateway);
    const { amount } = refund();
    const common = { at: moment + 1, operator: 'budi' };
    assertEqual(
      await listedActivity(store),
      [
        { ...common, action: 'payment.returned', subject: 'rec-1', amount: reconciliation().amount },
        { ...common, action: 'refund.cancelled', subject: 'ref-2', amount },
        { ...common, action: 'refund.paid', subject: first ?? '', amount },
      ],
      'activity',
    );
  },
  'activities are listed newest first, by operator and time, a page at a time': async (store) => {
    for (const [index, operator] of ['ani', 'budi', 'ani', 'budi', 'ani'].entries())
      assertEqual(await store.addActivity(key(`key_${index}`, { operator, at: moment + index })), ok, 'add');
    const ids = async (filter: object) => (await listedActivity(store, filter)).map(({ subject }) => subject);
    assertEqual(await ids({}), ['key_4', 'key_3', 'key_2', 'key_1', 'key_0'], 'all');
    assertEqual(await ids({ operator: 'ani' }), ['key_4', 'key_2', 'key_0'], 'of an operator');
    assertEqual(await ids({ from: moment + 1, before: moment + 3 }), ['key_2', 'key_1'], 'of a span');
    const [, second] = await store.listActivity({ limit: 2 });
    assertEqual(await ids({ after: second?.number, limit: 2 }), ['key_2', 'key_1'], 'the next page');
    assertEqual(await ids({ after: second?.number, operator: 'budi' }), ['key_1'], 'of an operator, later');
  },
  'the activities go with the orders, of which most are': async (store) => {
    await store.addActivity(key('key_1'));
    await store.clearOrders();
    assertEqual(await listedActivity(store), [], 'activity');
    await store.addActivity(key('key_2'));
    assertEqual(await listedActivity(store), [key('key_2')], 'after that');
  },
};
