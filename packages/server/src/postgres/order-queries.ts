import type {
  DueMoment,
  DueUnit,
  ExpiringPayment,
  HistoryEntry,
  OpenWork,
  OrderFilter,
  OrderProblem,
  OrderProgress,
  OrdersInState,
  ReservedOrder,
  StoredOrder,
  StoredUnit,
} from '@topup-kit/core/store';
import { integer, integerOrNull, json, type Row, text } from '../rows/columns.ts';
import {
  nameOf,
  orderColumns,
  orderOf,
  ordersInStateOf,
  progressColumns,
  progressOf,
  reservedOrderOf,
  unitOf,
} from '../rows/records.ts';
import type { Connection, Sql } from './connection.ts';
import { queryOrderList } from './order-list.ts';

/** Reads orders and what belongs to them. */
export function createOrderQueries({ read }: Connection) {
  const all = <Item>(
    query: (sql: Sql) => Promise<readonly Row[]>,
    itemOf: (row: Row) => Item,
  ): Promise<Item[]> => read(query).then((rows) => rows.map(itemOf));
  const first = async <Item>(
    query: (sql: Sql) => Promise<readonly Row[]>,
    itemOf: (row: Row) => Item,
  ): Promise<Item | null> => (await all(query, itemOf))[0] ?? null;

  return {
    findOrder: (orderId: string): Promise<StoredOrder | null> =>
      first(
        (sql) =>
          sql`SELECT ${sql.unsafe(orderColumns)} FROM orders WHERE order_id = ${orderId} AND reserved = 0`,
        orderOf,
      ),
    findProgress: (orderId: string): Promise<OrderProgress | null> =>
      first(
        (sql) =>
          sql`SELECT ${sql.unsafe(progressColumns)} FROM orders WHERE order_id = ${orderId} AND reserved = 0`,
        progressOf,
      ),
    findOrderByReference: (reference: string): Promise<StoredOrder | null> =>
      first(
        (sql) => sql`SELECT ${sql.unsafe(orderColumns)} FROM orders WHERE payment_reference = ${reference}`,
        orderOf,
      ),
    findOrderByPage: (reference: string): Promise<StoredOrder | null> =>
      first(
        (sql) => sql`
          SELECT ${sql.unsafe(orderColumns)} FROM orders
          WHERE reserved = 0
            AND (page_reference = ${reference} OR payment_reference = ${reference} AND page_reference IS NULL)
          ORDER BY page_reference NULLS LAST LIMIT 1`,
        orderOf,
      ),
    findOrdersOfTarget: (targetId: string, since: number): Promise<ReservedOrder[]> =>
      all(
        (sql) => sql`
          SELECT ${sql.unsafe(orderColumns)} FROM orders WHERE target_id = ${targetId} AND created_at >= ${since}`,
        reservedOrderOf,
      ),
    findTakenTotals: (paymentMethodId: number, lowest: number, highest: number): Promise<number[]> =>
      all(
        (sql) => sql`
          SELECT total_price FROM orders
          WHERE payment_method_id = ${paymentMethodId} AND total_price BETWEEN ${lowest} AND ${highest}
            AND unique_code > 0 AND payment_status = 'UNPAID'`,
        (row) => integer(row, 'total_price'),
      ),
    findReservedOrders: (limit: number): Promise<ReservedOrder[]> =>
      all(
        (sql) => sql`
          SELECT ${sql.unsafe(orderColumns)} FROM orders WHERE reserved = 1 ORDER BY created_at LIMIT ${limit}`,
        reservedOrderOf,
      ),
    listOrders: (filter: OrderFilter): Promise<StoredOrder[]> =>
      all((sql) => queryOrderList(sql, filter), orderOf),
    findUnits: (orderId: string): Promise<StoredUnit[]> =>
      all((sql) => sql`SELECT * FROM units WHERE order_id = ${orderId} ORDER BY unit`, unitOf),
    findHistory: (orderId: string): Promise<HistoryEntry[]> =>
      all(
        (sql) => sql`SELECT entry FROM history WHERE order_id = ${orderId} ORDER BY version`,
        (row) => json<HistoryEntry>(row, 'entry'),
      ),

    findOverdueOrders: (now: number, limit: number): Promise<StoredOrder[]> =>
      all(
        (sql) => sql`
          SELECT ${sql.unsafe(orderColumns)} FROM orders
          WHERE payment_status = 'UNPAID' AND reserved = 0 AND expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`,
        orderOf,
      ),
    findPaymentsByExpiry: (
      status: 'UNPAID' | 'EXPIRED',
      after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>,
      limit: number,
    ): Promise<ExpiringPayment[]> =>
      all(
        (sql) => sql`
          SELECT order_id, created_at, expires_at FROM orders
          WHERE ${status === 'UNPAID' ? sql`payment_status = 'UNPAID' AND reserved = 0` : sql`payment_status = 'EXPIRED'`}
            AND (expires_at, order_id) > (${after.expiresAt}, ${after.orderId})
          ORDER BY expires_at, order_id LIMIT ${limit}`,
        (row) => ({
          orderId: text(row, 'order_id'),
          createdAt: integer(row, 'created_at'),
          expiresAt: integer(row, 'expires_at'),
        }),
      ),
    findDueUnits: ({ now, latest }: DueMoment, limit: number): Promise<DueUnit[]> =>
      all(
        // Both ends of one index.
        (sql) => sql`
          SELECT order_id, unit FROM (
            (SELECT order_id, unit, next_at FROM units WHERE next_at <= ${now} ORDER BY next_at LIMIT ${limit})
            UNION ALL
            (SELECT order_id, unit, next_at FROM units WHERE next_at > ${latest} ORDER BY next_at LIMIT ${limit})
          ) AS due ORDER BY next_at LIMIT ${limit}`,
        nameOf,
      ),
    findUnitsBySupplierId: (supplierId: string): Promise<DueUnit[]> =>
      all((sql) => sql`SELECT order_id, unit FROM units WHERE supplier_id = ${supplierId}`, nameOf),
    async nextDueAt(): Promise<number | null> {
      const [row = { due_at: null }] = await read<Row[]>(
        (sql) => sql`
          SELECT min(due_at) AS due_at FROM (
            SELECT min(expires_at) AS due_at FROM orders WHERE payment_status = 'UNPAID' AND reserved = 0
            UNION ALL SELECT min(next_at) FROM units WHERE next_at IS NOT NULL) AS due`,
      );
      return integerOrNull(row, 'due_at');
    },

    countOrders: (): Promise<OrdersInState[]> =>
      all(
        (sql) => sql`
          SELECT payment_status, buy_status, sum(count)::bigint AS count FROM order_counts
          GROUP BY payment_status, buy_status HAVING sum(count) > 0 ORDER BY payment_status, buy_status`,
        ordersInStateOf,
      ),
    async countOpenWork(): Promise<OpenWork> {
      const rows = await read<Row[]>(
        (sql) => sql`
          SELECT 'payments' AS kind, gateway AS name, count(*) AS count FROM orders
          WHERE ((payment_status = 'UNPAID' AND reserved = 0) OR reserved = 1) AND gateway IS NOT NULL GROUP BY gateway
          UNION ALL SELECT 'deliveries', supplier, count(*) FROM units
          WHERE next_at IS NOT NULL AND state <> 'waiting' AND supplier IS NOT NULL GROUP BY supplier`,
      );
      const countsOf = (kind: string): Map<string, number> =>
        new Map(
          rows.filter((row) => row.kind === kind).map((row) => [text(row, 'name'), integer(row, 'count')]),
        );
      return { payments: countsOf('payments'), deliveries: countsOf('deliveries') };
    },

    async findProblemOrders(problem: OrderProblem, limit: number): Promise<string[]> {
      const rows = await read(async (sql): Promise<readonly Row[]> => {
        switch (problem.kind) {
          case 'stuck':
            return sql`
              SELECT order_id FROM (
                SELECT order_id, min(since) AS since FROM (
                  SELECT order_id, -1 AS since FROM units WHERE state = 'unknown'
                  UNION ALL SELECT order_id, coalesce(asked_at, next_at) FROM units
                  WHERE next_at IS NOT NULL AND coalesce(asked_at, next_at) < ${problem.before}
                    AND waits_for IS NULL) AS waiting
                GROUP BY order_id) AS stuck
              ORDER BY since, order_id LIMIT ${limit}`;
          case 'unfunded':
            return sql`
              SELECT DISTINCT order_id FROM units WHERE waits_for IS NOT NULL AND next_at IS NOT NULL
              ORDER BY order_id LIMIT ${limit}`;
          case 'contradicted':
            return sql`
              SELECT DISTINCT order_id FROM units WHERE contradiction IS NOT NULL ORDER BY order_id LIMIT ${limit}`;
          case 'failed':
            return sql`
              SELECT order_id FROM orders
              WHERE payment_status = 'PAID' AND buy_status = 'Gagal' AND NOT EXISTS (
                SELECT 1 FROM units WHERE units.order_id = orders.order_id AND contradiction IS NOT NULL)
              ORDER BY order_id LIMIT ${limit}`;
          case 'reserved':
            return sql`
              SELECT order_id FROM orders WHERE reserved = 1 AND created_at < ${problem.before}
              ORDER BY created_at LIMIT ${limit}`;
        }
      });
      return rows.map((row) => text(row, 'order_id'));
    },
  };
}
