import { activityOfClosing, type CloseRefund, done, type Refund } from '@topup-kit/core/store';
import { integer } from '../rows/columns.ts';
import { refundOf } from '../rows/records.ts';
import { insertActivities } from './activity.ts';
import { added } from './dialect.ts';
import { all, type Command, exists, first, type ResultOf, type Statement, sql, where } from './statement.ts';

export const insertRefund = (refund: Refund): Statement => sql`
  INSERT INTO refunds
    (refund_id, order_id, amount, units, created_at, operator, note, state, reference, closed_at, closed_by)
  VALUES (${refund.refundId}, ${refund.orderId}, ${refund.amount}, ${JSON.stringify(refund.units)}, ${refund.at},
    ${refund.operator}, ${refund.note}, ${refund.state}, ${refund.reference}, ${refund.closedAt}, ${refund.closedBy})`;

export const findRefunds = (orderId: string): Command<Refund[]> =>
  all(sql`SELECT * FROM refunds WHERE order_id = ${orderId} ORDER BY created_at, ${added}`, refundOf);

export const listRefunds = (state?: Refund['state']): Command<Refund[]> =>
  all(
    sql`SELECT * FROM refunds ${where(state ? [sql`state = ${state}`] : [])} ORDER BY created_at, ${added}`,
    refundOf,
  );

export function* closeRefund(close: CloseRefund): Command<ResultOf<'closeRefund'>> {
  const amount = yield* first(
    sql`
      UPDATE refunds SET state = ${close.state}, reference = ${close.reference}, closed_at = ${close.closedAt},
        closed_by = ${close.closedBy}
      WHERE refund_id = ${close.refundId} AND state = 'to-pay' RETURNING amount`,
    (row) => integer(row, 'amount'),
  );
  if (amount !== null) {
    yield insertActivities(activityOfClosing(`refund.${close.state}`, close.refundId, amount, close));
    return done;
  }
  const isKnown = yield* exists(sql`SELECT 1 FROM refunds WHERE refund_id = ${close.refundId}`);
  return { conflict: isKnown ? 'refund_closed' : 'refund_missing' };
}
