import type { OrderFilter, OrderState } from '@topup-kit/core/store';
import type { Row } from '../rows/columns.ts';
import { isDone, statesOf } from '../rows/order-list.ts';
import { orderColumns } from '../rows/records.ts';
import type { Sql } from './connection.ts';

/** The conditions of the indexes, which PostgreSQL uses only for a query that has the same. */
const areDone = "buy_status IN ('Sukses', 'Gagal', 'Batal')";
const areOpen = "buy_status IN ('Pending', 'Proses')";

const valuesOf = (states: readonly OrderState[]): string =>
  states.map(({ paymentStatus, buyStatus }) => `('${paymentStatus}', '${buyStatus}')`).join(', ');

/** Lists orders, newest first. */
export function queryOrderList(sql: Sql, filter: OrderFilter): Promise<readonly Row[]> {
  const { accountId, paymentStatus, buyStatus, gameId, customer, from, before, after, limit } = filter;
  const conditions = sql`
    reserved = 0
    ${accountId === undefined ? sql`` : sql`AND account_id = ${accountId}`}
    ${gameId === undefined ? sql`` : sql`AND game_id = ${gameId}`}
    ${from === undefined ? sql`` : sql`AND created_at >= ${from}`}
    ${before === undefined ? sql`` : sql`AND created_at < ${before}`}
    ${after ? sql`AND (created_at, order_id) < (${after.createdAt}, ${after.orderId})` : sql``}`;
  const newest = sql`ORDER BY created_at DESC, order_id DESC LIMIT ${limit}`;
  const columns = sql.unsafe(orderColumns);
  if (customer !== undefined) {
    // A range and not an equality, and sorted by the customer as well: otherwise PostgreSQL may read all orders, newest first, until it
    // has found enough of this customer. A customer has few orders, so that those of other kinds are skipped.
    const of = sql.unsafe('order_customer(details) COLLATE "C"');
    const end = after
      ? sql`(${of}, created_at, order_id) < (${customer}, ${after.createdAt}, ${after.orderId})`
      : sql`${of} <= ${customer}`;
    return sql`
      SELECT ${columns} FROM orders
      WHERE ${of} >= ${customer} AND ${end} AND ${conditions}
        ${paymentStatus === undefined ? sql`` : sql`AND payment_status = ${paymentStatus}`}
        ${buyStatus === undefined ? sql`` : sql`AND buy_status = ${buyStatus}`}
      ORDER BY ${of} DESC, created_at DESC, order_id DESC LIMIT ${limit}`;
  }
  if ([accountId, gameId, paymentStatus, buyStatus].every((one) => one === undefined))
    return sql`SELECT ${columns} FROM orders WHERE ${conditions} ${newest}`;

  const newestOf = (states: readonly OrderState[], condition: string) => sql`
    SELECT listed.* FROM (VALUES ${sql.unsafe(valuesOf(states))}) AS state (paid, bought) CROSS JOIN LATERAL (
      SELECT order_id, created_at FROM orders
      WHERE payment_status = paid AND buy_status = bought AND ${sql.unsafe(condition)} AND ${conditions} ${newest}) AS listed`;
  const states = statesOf(filter);
  const done = states.filter((state) => isDone(state.buyStatus));
  const open = states.filter((state) => !isDone(state.buyStatus));
  const parts = [
    ...(done.length > 0 ? [newestOf(done, areDone)] : []),
    ...(open.length > 0 ? [newestOf(open, areOpen)] : []),
  ];
  const listed = parts.reduce((all, part) => sql`${all} UNION ALL ${part}`);
  return sql`
    SELECT ${columns} FROM orders WHERE order_id IN (SELECT order_id FROM (${listed}) AS listed ${newest}) ${newest}`;
}
