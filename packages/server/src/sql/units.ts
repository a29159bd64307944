import type {
  DeliveryAttemptId,
  DueCutoff,
  DueUnit,
  OrderProblem,
  PendingProviderWork,
  StoredUnit,
} from '@topup-kit/core/store';
import { integer, integerOrNull, text } from '../rows/columns.ts';
import { nameOf, unitOf } from '../rows/records.ts';
import { all, type Command, text as plain, run, type Statement, sql, type Twin } from './statement.ts';

// Each statement reads only the indexes that it needs, so its time doesn't grow with the number of orders.

export const findUnits = (orderId: string): Command<StoredUnit[]> =>
  all(sql`SELECT * FROM units WHERE order_id = ${orderId} ORDER BY unit`, unitOf);

export function* findDueUnits({ now, latest }: DueCutoff, limit: number): Command<DueUnit[]> {
  // Reads both ends of one index.
  const outcomes = yield [
    sql`SELECT order_id, unit FROM units WHERE next_at <= ${now} ORDER BY next_at LIMIT ${limit}`,
    sql`SELECT order_id, unit FROM units WHERE next_at > ${latest} ORDER BY next_at LIMIT ${limit}`,
  ];
  return outcomes
    .flatMap(({ rows }) => rows)
    .slice(0, limit)
    .map(nameOf);
}

export const findAttemptsBySupplierId = (supplierId: string): Command<DeliveryAttemptId[]> =>
  all(
    sql`
      SELECT order_id, unit, attempt FROM units WHERE supplier_id = ${supplierId}
      UNION ALL SELECT order_id, unit, attempt FROM earlier_attempts WHERE supplier_id = ${supplierId}`,
    (row) => ({ ...nameOf(row), attempt: integer(row, 'attempt') }),
  );

/** Finds the earliest time at which an unpaid order expires or a unit is due; null if there is neither. */
export function* nextDueAt(): Command<number | null> {
  const [row = { due_at: null }] = (yield* run(sql`
    SELECT min(due_at) AS due_at FROM (
      SELECT * FROM (
        SELECT expires_at AS due_at FROM orders
        WHERE payment_status = 'UNPAID' AND reserved = 0 ORDER BY expires_at LIMIT 1) AS order_due
      UNION ALL
      SELECT * FROM (SELECT next_at FROM units WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1) AS unit_due
    ) AS due`)).rows;
  return integerOrNull(row, 'due_at');
}

/** Reads all open work, once when a server starts. */
export function* countOpenWork(): Command<PendingProviderWork> {
  const gateway = {
    sqlite: () => plain("json_extract(details, '$.gateway')"),
    postgres: () => plain('gateway'),
  };
  const { rows } = yield* run(sql`
    SELECT kind, name, count(*) AS count FROM (
      SELECT 'payments' AS kind, ${gateway} AS name FROM orders WHERE payment_status = 'UNPAID' AND reserved = 0
      UNION ALL SELECT 'payments', ${gateway} FROM orders WHERE reserved = 1
      UNION ALL SELECT 'deliveries', supplier FROM units WHERE next_at IS NOT NULL AND state <> 'waiting'
    ) AS open WHERE name IS NOT NULL GROUP BY kind, name`);
  const countsOf = (kind: string): Map<string, number> =>
    new Map(rows.filter((row) => row.kind === kind).map((row) => [text(row, 'name'), integer(row, 'count')]));
  return { payments: countsOf('payments'), deliveries: countsOf('deliveries') };
}

/** Reads a field of a history entry. */
const entryField = (name: string): Twin => ({
  sqlite: () => plain(`history.entry ->> '${name}'`),
  postgres: () => plain(`history.entry::json ->> '${name}'`),
});

/** Returns statements that together find the orders with a problem, the most urgent first. */
function problemStatements(problem: OrderProblem, limit: number): Statement[] {
  switch (problem.kind) {
    case 'stuck':
      return [
        sql`SELECT DISTINCT order_id FROM units WHERE state = 'unknown' ORDER BY order_id LIMIT ${limit}`,
        // Reads only the oldest open unit of each order, so that no more units are read than shown.
        sql`
          SELECT order_id FROM units
          WHERE next_at IS NOT NULL AND coalesce(asked_at, next_at) < ${problem.before} AND waits_for IS NULL
            AND NOT EXISTS (
              SELECT 1 FROM units AS other WHERE other.order_id = units.order_id AND (
                other.state = 'unknown' OR other.next_at IS NOT NULL AND other.waits_for IS NULL
                AND (coalesce(other.asked_at, other.next_at), other.unit)
                  < (coalesce(units.asked_at, units.next_at), units.unit)))
          ORDER BY coalesce(asked_at, next_at), order_id LIMIT ${limit}`,
        sql`
          SELECT order_id FROM units
          WHERE next_at IS NOT NULL AND coalesce(asked_at, next_at) >= ${problem.before} AND waits_for IS NULL AND attempt > 1
            AND NOT EXISTS (
              SELECT 1 FROM units AS other WHERE other.order_id = units.order_id AND other.unit < units.unit
              AND other.next_at IS NOT NULL AND coalesce(other.asked_at, other.next_at) >= ${problem.before}
              AND other.waits_for IS NULL AND other.attempt > 1)
            AND (
              SELECT max(CAST(${entryField('at')} AS BIGINT)) FROM history WHERE history.order_id = units.order_id
              AND (${entryField('event')} IN ('paid', 'settled')
                OR ${entryField('event')} = 'retried' AND ${entryField('by')} = 'operator')) < ${problem.before}
          ORDER BY coalesce(asked_at, next_at), order_id LIMIT ${limit}`,
      ];
    case 'unfunded':
      return [
        sql`
          SELECT DISTINCT order_id FROM units WHERE waits_for IS NOT NULL AND next_at IS NOT NULL
            AND ${problem.supplier === undefined ? plain('TRUE') : sql`supplier = ${problem.supplier}`}
          ORDER BY order_id LIMIT ${limit}`,
      ];
    case 'contradicted':
      return [
        sql`SELECT DISTINCT order_id FROM units WHERE contradiction IS NOT NULL ORDER BY order_id LIMIT ${limit}`,
      ];
    case 'failed':
      return [
        sql`
          SELECT order_id FROM orders
          WHERE payment_status = 'PAID' AND buy_status = 'Gagal' AND NOT EXISTS (
            SELECT 1 FROM units WHERE units.order_id = orders.order_id AND contradiction IS NOT NULL)
          ORDER BY order_id LIMIT ${limit}`,
      ];
    case 'reserved':
      return [
        sql`
          SELECT order_id FROM orders WHERE reserved = 1 AND created_at < ${problem.before}
          ORDER BY created_at LIMIT ${limit}`,
      ];
  }
}

export function* findProblemOrders(problem: OrderProblem, limit: number): Command<string[]> {
  const outcomes = yield problemStatements(problem, limit);
  const orders = outcomes.flatMap(({ rows }) => rows.map((row) => text(row, 'order_id')));
  return [...new Set(orders)].slice(0, limit);
}
