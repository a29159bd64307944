import { type CloseRefund, done, type Refund, type Store } from '@topup-kit/core/store';
import type { Row } from '../rows/columns.ts';
import { refundOf } from '../rows/records.ts';
import type { Connection, Transaction } from './connection.ts';
import type { pipelined } from './pipeline.ts';
import { withoutNul } from './text.ts';

/** Adds a refund with the change of its order. */
export const insertRefund = (
  sql: Transaction,
  refund: Refund,
): Parameters<typeof pipelined>[0][number] => sql`
  INSERT INTO refunds
    (refund_id, order_id, amount, units, created_at, operator, note, state, reference, closed_at, closed_by)
  VALUES (${refund.refundId}, ${refund.orderId}, ${refund.amount}, ${JSON.stringify(refund.units)}, ${refund.at},
    ${withoutNul(refund.operator)}, ${withoutNul(refund.note)}, ${refund.state}, ${withoutNul(refund.reference)},
    ${refund.closedAt}, ${withoutNul(refund.closedBy)})`;

export const createRefunds = ({
  read,
  write,
}: Connection): Pick<Store, 'findRefunds' | 'listRefunds' | 'closeRefund'> => ({
  findRefunds: (orderId) =>
    read(async (sql) => {
      const rows = await sql<Row[]>`
        SELECT * FROM refunds WHERE order_id = ${orderId} ORDER BY created_at, sequence`;
      return rows.map(refundOf);
    }),
  listRefunds: (state) =>
    read(async (sql) => {
      const rows = await sql<Row[]>`
        SELECT * FROM refunds ${state ? sql`WHERE state = ${state}` : sql``} ORDER BY created_at, sequence`;
      return rows.map(refundOf);
    }),
  closeRefund: ({ refundId, state, reference, closedAt, closedBy }: CloseRefund) =>
    write(async (sql): Promise<Awaited<ReturnType<Store['closeRefund']>>> => {
      const { count } = await sql`
        UPDATE refunds SET state = ${state}, reference = ${withoutNul(reference)}, closed_at = ${closedAt},
          closed_by = ${withoutNul(closedBy)}
        WHERE refund_id = ${refundId} AND state = 'to-pay'`;
      if (count > 0) return done;
      const [known] = await sql`SELECT 1 FROM refunds WHERE refund_id = ${refundId}`;
      return { conflict: known ? 'refund_closed' : 'refund_missing' };
    }),
});
