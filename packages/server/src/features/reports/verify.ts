import { verifyReports } from '@topup-kit/core/engine';
import type { SaleLine } from '@topup-kit/core/store';
import { integer, type Row, text as textOf } from '../../rows/columns.ts';
import { byOrder } from '../../sql/records.ts';
import { sql } from '../../sql/statement.ts';
import type { IdRange, RoomCheck } from '../../sql/verify.ts';
import { figuresOf, madeBy } from './sql.ts';

const lineOf = (row: Row): SaleLine => ({
  at: integer(row, 'at'),
  game: textOf(row, 'game'),
  product: textOf(row, 'product'),
  method: textOf(row, 'method'),
  account: textOf(row, 'account'),
  supplier: textOf(row, 'supplier'),
  ...figuresOf(row),
});

/** The sales of reports are those of the orders. */
export const reportChecks: RoomCheck = {
  tables: [],
  *ofOrders() {
    return {
      rule: 'reports',
      *read({ after, last }: IdRange) {
        const among = sql`order_id > ${after} AND order_id <= ${last}`;
        const [lines, due] = yield [
          sql`SELECT * FROM sales WHERE ${among} ORDER BY order_id, line`,
          sql`
            SELECT order_id FROM sales_due WHERE ${among}
            UNION SELECT order_id FROM sales WHERE ${among} AND made_by <> ${madeBy}`,
        ];
        const linesOf = byOrder(lines?.rows ?? [], lineOf);
        const isDue = new Set((due?.rows ?? []).map((row) => textOf(row, 'order_id')));
        return (records) => {
          const { orderId } = records.order;
          return verifyReports(records, isDue.has(orderId) ? null : linesOf(orderId));
        };
      },
    };
  },
};
