import { verifyReports } from '@topup-kit/core/features/reports/sales-report';
import {
  type OrdersOfMethod,
  quarterHour,
  reconciliationsOf,
  type SaleLine,
  type SalesFigures,
  type SalesKey,
  type SalesSpan,
  type SalesSum,
  saleLines,
} from '@topup-kit/core/store';
import { integer, type Row, text as textOf } from '../../rows/columns.ts';
import { ordersInStateOf } from '../../rows/orders.ts';
import { eachOf } from '../../sql/dialect.ts';
import { byOrder, readRecords } from '../../sql/records.ts';
import { all, type Command, exists, joined, run, type Statement, sql, text } from '../../sql/statement.ts';
import type { RoomCheck } from '../../sql/verify.ts';

// A change replaces all lines of its order, which are computed from the order's current records, so it doesn't matter when they are
// computed.

const columns = text(
  'order_id, line, at, game, product, method, account, supplier, orders, units, turnover, discounts, returned, gateway_fees, reported_fees, cost, listed_cost, unknown_costs, made_by',
);

/** The version of the rules for lines. Lines of a lower version are replaced. */
const madeBy = 2;

const valuesOf = (orderId: string, line: number, sale: SaleLine): Statement => sql`(
  ${orderId}, ${line}, ${sale.at}, ${sale.game}, ${sale.product}, ${sale.method}, ${sale.account}, ${sale.supplier},
  ${sale.orders}, ${sale.units}, ${sale.turnover}, ${sale.discounts}, ${sale.returned}, ${sale.gatewayFees},
  ${sale.reportedFees}, ${sale.cost}, ${sale.listedCost}, ${sale.unknownCosts}, ${madeBy})`;

/**
 * Marks orders as due if their lines have an older version. After an upgrade, a server of the previous version may still write such lines.
 */
const noteOutdated = (limit: number): Statement => sql`
  INSERT INTO sales_due SELECT DISTINCT order_id FROM sales WHERE made_by < ${text(String(madeBy))}
  ORDER BY order_id LIMIT ${limit} ON CONFLICT DO NOTHING`;

/** Takes due orders. The result is empty only if no other report is processing the last due orders. */
function* takeDue(limit: number): Command<string[]> {
  for (;;) {
    const due = yield* all(
      sql`
        DELETE FROM sales_due WHERE order_id IN (SELECT order_id FROM sales_due ORDER BY order_id LIMIT ${limit})
        RETURNING order_id`,
      (row) => textOf(row, 'order_id'),
    );
    if (due.length > 0) return due;
    yield* run(noteOutdated(limit));
    // In PostgreSQL, another report, for which this report waited, may have taken the chosen orders.
    if (!(yield* exists(sql`SELECT 1 FROM sales_due LIMIT 1`))) return due;
  }
}

function* prepareSales(limit: number): Command<number> {
  // Runs first, so that this report waits for a change that is being committed, and then reads the change.
  const due = yield* takeDue(limit);
  if (due.length === 0) return 0;
  const { orders, unitsOf, historyOf, refundsOf, reconciliations } = yield* readRecords(
    sql`order_id IN (${eachOf(due)})`,
  );
  const lines = orders.flatMap((order) => {
    const { orderId } = order;
    const records = { units: unitsOf(orderId), history: historyOf(orderId), refunds: refundsOf(orderId) };
    return saleLines({ order, ...records, reconciliations: reconciliationsOf(order, reconciliations) }).map(
      (sale, line) => valuesOf(orderId, line, sale),
    );
  });
  yield* run(sql`DELETE FROM sales WHERE order_id IN (${eachOf(due)})`);
  // One statement per line, because the database would prepare a new statement for each number of lines.
  yield lines.map((values) => sql`INSERT INTO sales (${columns}) VALUES ${values}`);
  return due.length;
}

const keys: Readonly<Record<SalesKey, Statement>> = {
  quarterHour: text(`CAST(at / ${quarterHour} AS TEXT)`),
  game: text('game'),
  product: text('product'),
  method: text('method'),
  account: text('account'),
  supplier: text('supplier'),
};

const figures = [
  ...['orders', 'units', 'turnover', 'discounts', 'returned', 'gateway_fees', 'reported_fees', 'cost'],
  ...['listed_cost', 'unknown_costs'],
];
const sums = joined(
  figures.map((column) => text(`CAST(sum(${column}) AS BIGINT) AS ${column}`)),
  ', ',
);

const summed = ['at', 'game', 'product', 'method', 'account', 'supplier', ...figures].join(', ');

/** Fees that gateways kept from returned payments without a known order, in the lines of `strayFeeLine`. */
const strayFees = text(`
  SELECT coalesce(closed_at, noticed_at) AS at, '', '', '', '', '', 0, 0, 0, 0, 0, fee, fee, 0, 0, 0 FROM reconciliations
  WHERE order_id IS NULL AND state = 'returned' AND reason <> 'refunded' AND fee IS NOT NULL`);

/** Returns the figures of a line or of a sum of lines. */
const figuresOf = (row: Row): SalesFigures => ({
  orders: integer(row, 'orders'),
  units: integer(row, 'units'),
  turnover: integer(row, 'turnover'),
  discounts: integer(row, 'discounts'),
  returned: integer(row, 'returned'),
  gatewayFees: integer(row, 'gateway_fees'),
  reportedFees: integer(row, 'reported_fees'),
  cost: integer(row, 'cost'),
  listedCost: integer(row, 'listed_cost'),
  unknownCosts: integer(row, 'unknown_costs'),
});

const sumSales = ({ from, before }: SalesSpan, by: SalesKey): Command<SalesSum[]> =>
  all(
    sql`
      SELECT ${keys[by]} AS key, ${sums} FROM (
        SELECT ${text(summed)} FROM sales WHERE at >= ${from} AND at < ${before}
        UNION ALL SELECT * FROM (${strayFees}) AS stray WHERE at >= ${from} AND at < ${before}) AS lines
      GROUP BY ${text('1')} ORDER BY ${text('1')}`,
    (row) => ({ key: textOf(row, 'key'), ...figuresOf(row) }),
  );

const countOutcomes = ({ from, before }: SalesSpan): Command<OrdersOfMethod[]> =>
  all(
    sql`
      SELECT payment_method_id, payment_status, buy_status, count(*) AS count FROM orders
      WHERE reserved = 0 AND created_at >= ${from} AND created_at < ${before}
      GROUP BY payment_method_id, payment_status, buy_status`,
    (row) => ({ paymentMethodId: integer(row, 'payment_method_id'), ...ordersInStateOf(row) }),
  );

// Each command is named after its store method.
export const tablesOfOrders: readonly string[] = ['sales', 'sales_due'];

export const reads = { sumSales, countOutcomes };
export const writes = { prepareSales };

const lineOf = (row: Row): SaleLine => ({
  at: integer(row, 'at'),
  game: textOf(row, 'game'),
  product: textOf(row, 'product'),
  method: textOf(row, 'method'),
  account: textOf(row, 'account'),
  supplier: textOf(row, 'supplier'),
  ...figuresOf(row),
});

/** Checks that the reports' sales match the orders. */
export const reportChecks: RoomCheck = {
  tables: [],
  *ofOrders() {
    return {
      rule: 'reports',
      *read({ after, last }) {
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
