import type {
  ExpiringPayment,
  HistoryEntry,
  OrderFilter,
  OrderProgress,
  OrderStateCount,
  ReservedOrder,
  StoredOrder,
} from '@topup-kit/core/store';
import { integer, json, text } from '../rows/columns.ts';
import {
  orderColumns,
  orderOf,
  ordersInStateOf,
  progressColumns,
  progressOf,
  reservedOrderOf,
} from '../rows/orders.ts';
import { placedVersion } from './changes.ts';
import { eachOf } from './dialect.ts';
import { orderList } from './order-list.ts';
import { all, type Command, first, text as plain, type Statement, sql } from './statement.ts';

const columns = plain(orderColumns);

/** Selects the orders that match a condition, optionally sorted. */
const ordersThat = (rest: Statement): Statement => sql`SELECT ${columns} FROM orders WHERE ${rest}`;

export const findOrder = (orderId: string): Command<StoredOrder | null> =>
  first(ordersThat(sql`order_id = ${orderId} AND reserved = 0`), orderOf);

export const findOrders = (orderIds: readonly string[]): Command<StoredOrder[]> =>
  all(ordersThat(sql`order_id IN (${eachOf(orderIds)}) AND reserved = 0`), orderOf);

export const findProgress = (orderId: string): Command<OrderProgress | null> =>
  first(
    sql`SELECT ${plain(progressColumns)} FROM orders WHERE order_id = ${orderId} AND reserved = 0`,
    progressOf,
  );

export const findOrderByReference = (reference: string): Command<StoredOrder | null> =>
  first(ordersThat(sql`payment_reference = ${reference}`), orderOf);

export function* findOrderByPage(reference: string): Command<StoredOrder | null> {
  const outcomes = yield [
    ordersThat(sql`page_reference = ${reference} AND reserved = 0`),
    ordersThat(sql`payment_reference = ${reference} AND page_reference IS NULL`),
  ];
  const [row] = outcomes.flatMap(({ rows }) => rows);
  return row ? orderOf(row) : null;
}

export const findOrdersOfTarget = (targetId: string, since: number): Command<ReservedOrder[]> => {
  const target = {
    sqlite: () => plain("json_extract(details, '$.target.id')"),
    postgres: () => plain('target_id'),
  };
  return all(ordersThat(sql`${target} = ${targetId} AND created_at >= ${since}`), reservedOrderOf);
};

export const findTakenTotals = (
  paymentMethodId: number,
  lowest: number,
  highest: number,
): Command<number[]> =>
  all(
    sql`
      SELECT total_price FROM orders
      WHERE payment_method_id = ${paymentMethodId} AND total_price BETWEEN ${lowest} AND ${highest}
        AND unique_code > 0 AND payment_status = 'UNPAID'`,
    (row) => integer(row, 'total_price'),
  );

export const findReservedOrders = (limit: number): Command<ReservedOrder[]> =>
  all(ordersThat(sql`reserved = 1 ORDER BY created_at LIMIT ${limit}`), reservedOrderOf);

export const findReservedOrder = (orderId: string): Command<ReservedOrder | null> =>
  first(ordersThat(sql`order_id = ${orderId} AND reserved = 1`), reservedOrderOf);

export const findOverdueOrders = (now: number, limit: number): Command<StoredOrder[]> =>
  all(
    ordersThat(
      sql`payment_status = 'UNPAID' AND reserved = 0 AND expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`,
    ),
    orderOf,
  );

/** Condition for each status, which has its own index. */
const conditionOf = {
  UNPAID: plain("payment_status = 'UNPAID' AND reserved = 0"),
  EXPIRED: plain("payment_status = 'EXPIRED'"),
};

export const findPaymentsByExpiry = (
  status: 'UNPAID' | 'EXPIRED',
  after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>,
  limit: number,
): Command<ExpiringPayment[]> =>
  all(
    sql`
      SELECT order_id, created_at, expires_at FROM orders
      WHERE ${conditionOf[status]} AND (expires_at, order_id) > (${after.expiresAt}, ${after.orderId})
      ORDER BY expires_at, order_id LIMIT ${limit}`,
    (row) => ({
      orderId: text(row, 'order_id'),
      createdAt: integer(row, 'created_at'),
      expiresAt: integer(row, 'expires_at'),
    }),
  );

export const listOrders = (filter: OrderFilter): Command<StoredOrder[]> => all(orderList(filter), orderOf);

export const findHistory = (orderId: string): Command<HistoryEntry[]> =>
  all(
    sql`SELECT entry FROM history WHERE order_id = ${orderId} AND version > ${placedVersion} ORDER BY version`,
    (row) => json<HistoryEntry>(row, 'entry'),
  );

/** Counts the orders in each state. Triggers keep the counts; PostgreSQL keeps several rows per state. */
export const countOrders = (): Command<OrderStateCount[]> =>
  all(
    sql`
      SELECT payment_status, buy_status, CAST(sum(count) AS BIGINT) AS count FROM order_counts
      GROUP BY payment_status, buy_status HAVING sum(count) > 0 ORDER BY payment_status, buy_status`,
    ordersInStateOf,
  );
