import type { Difference, OrderRecords, VerifiedRule } from '@topup-kit/core/engine';
import type { Hash } from '@topup-kit/core/platform';
import { reconciliationsOf } from '@topup-kit/core/store';
import { integer, type Row, text as textOf } from '../rows/columns.ts';
import { byOrder, readRecords } from './records.ts';
import { all, type Command, type Statement, sql, type Twin, text } from './statement.ts';

// A store is verified in pages, in the order of its order ids.

const claimOf = (row: Row) => ({ code: textOf(row, 'code'), isReleased: integer(row, 'released') === 1 });

/** Reads the ids of placed orders after a given id. */
export const readOrderIds = (after: string, limit: number): Command<string[]> =>
  all(
    sql`SELECT order_id FROM orders WHERE order_id > ${after} AND reserved = 0 ORDER BY order_id LIMIT ${limit}`,
    (row) => textOf(row, 'order_id'),
  );

/** Sums the amounts to reconcile that belong to no order: integers in the smallest unit. */
export function* sumReconciliations(): Command<{ toReconcile: number; returned: number }> {
  const rows = yield* all(
    sql`
      SELECT state, CAST(sum(amount) AS BIGINT) AS amount FROM reconciliations
      WHERE reason <> 'refunded' AND state <> 'settled' GROUP BY state`,
    (row) => ({ state: textOf(row, 'state'), amount: integer(row, 'amount') }),
  );
  const of = (wanted: string): number => rows.find(({ state }) => state === wanted)?.amount ?? 0;
  return { toReconcile: of('open'), returned: of('returned') };
}

/** Range of order ids: after an id, up to and including the last id. */
export interface IdRange {
  after: string;
  last: string;
}

/** Reads orders with all of their records outside the rooms. */
export function* readWholeOrders({ after, last }: IdRange): Command<OrderRecords[]> {
  // Uses a range, because an index stores it contiguously.
  const among = sql`order_id > ${after} AND order_id <= ${last}`;
  const { orders, unitsOf, historyOf, versionsOf, refundsOf, reconciliations } = yield* readRecords(among);
  const [columns, claims] = yield [
    sql`SELECT order_id, total_price, unique_code FROM orders WHERE ${among}`,
    sql`SELECT order_id, code, released FROM promo_claims WHERE ${among}`,
  ];
  const columnsOf = byOrder(columns?.rows ?? [], (row) => ({
    totalPrice: integer(row, 'total_price'),
    uniqueCode: integer(row, 'unique_code'),
  }));
  const claimsOf = byOrder(claims?.rows ?? [], claimOf);
  return orders.map((order): OrderRecords => {
    const { orderId } = order;
    return {
      order,
      units: unitsOf(orderId),
      history: historyOf(orderId),
      versions: versionsOf(orderId),
      refunds: refundsOf(orderId),
      reconciliations: reconciliationsOf(order, reconciliations),
      columns: columnsOf(orderId)[0] ?? { totalPrice: 0, uniqueCode: 0 },
      claim: claimsOf(orderId)[0] ?? null,
    };
  });
}

/** Checks of a room. */
export interface RoomCheck {
  /** Statements that compare tables. */
  tables: readonly Check[];
  /** Reads once, and then reads each range of orders and returns the sentences for each order. */
  ofOrders(hash: Hash): Command<{
    rule: VerifiedRule;
    read: (range: IdRange) => Command<(records: OrderRecords) => Iterable<string>>;
  }>;
}

/** Statement whose rows are differences: the order, if there is one, and two values for the sentence. */
export interface Check {
  rule: VerifiedRule;
  statement: Statement;
  sentence: (first: string, second: string) => string;
}

/** Finds rows that refer to a missing order. */
export const ownerless = (table: string, what: string, condition = 'order_id IS NOT NULL'): Check => ({
  rule: 'owners',
  statement: text(`
    SELECT order_id, count(*) AS first, 0 AS second FROM ${table}
    WHERE ${condition} AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.order_id = ${table}.order_id)
    GROUP BY order_id`),
  sentence: (count) => `${count} ${what} name this order, which is not in the store`,
});

/** Finds idempotency keys of an account for another account's orders. */
const foreign = (table: string): Check => ({
  rule: 'keys',
  statement: text(`
    SELECT orders.order_id, ${table}.account_id AS first, orders.account_id AS second
    FROM ${table} JOIN orders ON orders.order_id = ${table}.order_id WHERE ${table}.account_id <> orders.account_id`),
  sentence: (account, owner) => `a key of account ${account} leads to it, but it is of account ${owner}`,
});

/** Attempts in history entries, as rows of JSON. */
const earlierAttempts: Twin = {
  sqlite: () => text("json_each(history.entry, '$.attempts')"),
  postgres: () => text("json_array_elements(history.entry::json -> 'attempts')"),
};

const checks: readonly Check[] = [
  ownerless('units', 'items'),
  ownerless('history', 'lines of the history'),
  ownerless('promo_claims', 'uses of promos'),
  ownerless('refunds', 'refunds'),
  ownerless('reconciliations', 'payments to reconcile'),
  ownerless('idempotent_responses', 'idempotency keys'),
  ownerless('used_keys', 'idempotency keys'),
  foreign('idempotent_responses'),
  foreign('used_keys'),
  {
    rule: 'keys',
    statement: text(`
      SELECT orders.order_id, key AS first, 0 AS second FROM idempotent_responses
      JOIN orders ON orders.order_id = idempotent_responses.order_id WHERE body IS NULL AND reserved = 0`),
    sentence: (key) => `its key ${key} has no response, although it is placed`,
  },
  {
    rule: 'amounts',
    statement: text(`
      SELECT NULL AS order_id, reconciliation_id AS first, amount AS second FROM reconciliations
      WHERE state = 'settled' AND order_id IS NULL`),
    sentence: (payment, amount) => `the payment ${payment} of ${amount} is settled, but with no order`,
  },
  {
    rule: 'purchases',
    statement: text(`
      SELECT min(order_id) AS order_id, supplier_id AS first, max(order_id) AS second FROM units
      WHERE supplier_id IS NOT NULL GROUP BY supplier, supplier_id HAVING count(*) > 1`),
    sentence: (purchase, other) => `its purchase ${purchase} is also that of an item of ${other}`,
  },
  {
    rule: 'purchases',
    // Only the history names the supplier of an earlier attempt, and other suppliers may use the same id.
    statement: sql`
      SELECT min(order_id) AS order_id, supplier_id AS first, max(order_id) AS second FROM (
        SELECT order_id, supplier, supplier_id FROM units WHERE supplier_id IN (SELECT supplier_id FROM earlier_attempts)
        UNION ALL
        SELECT history.order_id, attempt.value ->> 'supplier', attempt.value ->> 'supplierId'
        FROM history CROSS JOIN ${earlierAttempts} AS attempt
        WHERE history.order_id IN (
          SELECT order_id FROM earlier_attempts AS earlier WHERE EXISTS (
            SELECT 1 FROM units WHERE units.supplier_id = earlier.supplier_id AND units.order_id <> earlier.order_id
            UNION ALL
            SELECT 1 FROM earlier_attempts AS other
            WHERE other.supplier_id = earlier.supplier_id AND other.order_id <> earlier.order_id))) AS attempts
      WHERE supplier_id IS NOT NULL GROUP BY supplier, supplier_id HAVING count(DISTINCT order_id) > 1`,
    sentence: (purchase, other) => `its purchase ${purchase} is also that of an earlier attempt of ${other}`,
  },
  {
    rule: 'counts',
    statement: text(`
      SELECT NULL AS order_id, payment_status || ' / ' || buy_status AS first,
        CAST(sum(counted) AS TEXT) || ' counted, ' || CAST(sum(there) AS TEXT) || ' there' AS second
      FROM (
        SELECT payment_status, buy_status, count AS counted, 0 AS there FROM order_counts
        UNION ALL SELECT payment_status, buy_status, 0, 1 FROM orders WHERE reserved = 0) AS both_counts
      GROUP BY payment_status, buy_status HAVING sum(counted) <> sum(there)`),
    sentence: (state, counts) => `orders that are ${state}: ${counts}`,
  },
  {
    rule: 'promos',
    statement: text(`
      SELECT NULL AS order_id, code AS first,
        CAST(sum(used) AS TEXT) || ' counted, ' || CAST(sum(claims) AS TEXT) || ' by orders' AS second
      FROM (
        SELECT code, used, 0 AS claims FROM promos
        UNION ALL SELECT code, 0, 1 FROM promo_claims WHERE released = 0) AS both_counts
      GROUP BY code HAVING sum(used) <> sum(claims)`),
    sentence: (code, counts) => `uses of promo ${code}: ${counts}`,
  },
  {
    rule: 'places',
    statement: text(`
      SELECT NULL AS order_id, what AS first, CAST(place AS TEXT) || ', but the last change is ' || CAST(position AS TEXT) AS second
      FROM (
        SELECT 'a change has the place' AS what, max(position) AS place FROM history
        UNION ALL SELECT 'the search is made up to', position FROM search_progress) AS places, last_change
      WHERE place > position`),
    sentence: (what, place) => `${what} ${place}`,
  },
];

/** Finds differences between tables, in addition to each order's records; at most `limit` of each kind. */
export function* findTableDifferences(rooms: readonly RoomCheck[], limit: number): Command<Difference[]> {
  const differences: Difference[] = [];
  for (const { rule, statement, sentence } of [...checks, ...rooms.flatMap(({ tables }) => tables)])
    differences.push(
      ...(yield* all(sql`${statement} LIMIT ${limit}`, (row) => ({
        rule,
        orderId: row.order_id === null ? null : textOf(row, 'order_id'),
        sentence: sentence(String(row.first), String(row.second)),
      }))),
    );
  return differences;
}
