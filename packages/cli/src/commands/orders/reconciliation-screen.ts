import type { Reconciliation } from '@topup-kit/core/store';
import { money, readableTime } from '../../output/format.ts';
import { list } from '../../output/table.ts';

const reasons: Record<Reconciliation['reason'], string> = {
  late: 'paid after the order expired',
  amount: "not the order's total",
  closed: 'paid again, or after the order failed',
};

const states: Record<Reconciliation['state'], string> = {
  open: 'open',
  settled: 'settled: taken for the order',
  returned: 'returned',
};

/** Money that could not be matched, and what became of it. */
export const reconciliationScreen = (one: Reconciliation): string =>
  list([
    ['Payment', one.reconciliationId],
    ['Order', one.orderId],
    ['Amount', money(one.amount)],
    ['Why', reasons[one.reason]],
    ['Paid', readableTime(one.paidAt)],
    ['State', states[one.state]],
    ['Note', one.note],
  ]);
