import {
  type OrderSearch,
  readSearchedText,
  type SearchedText,
  type StoredOrder,
  searchTerms,
} from '@topup-kit/core/store';
import { integer, text as textOf } from '../rows/columns.ts';
import { orderColumns, orderOf } from '../rows/orders.ts';
import { findChanges } from './changes.ts';
import { eachOf } from './dialect.ts';
import { conditionsOf, statusesOf } from './order-list.ts';
import { all, type Command, first, joined, type Statement, sql, text, where } from './statement.ts';

/** Maximum number of orders to read for each kind of match. */
const mostOfKind = 1_000;

const columns = text(orderColumns);

/** Returns a string that sorts after every string that begins with `start`. */
const after = (start: string): string => `${start}\u{10FFFF}`;

const detail = (object: string, field: string): Statement =>
  sql`${{
    sqlite: () => text(`json_extract(details, '$.${object}.${field}')`),
    postgres: () => text(`details::json #>> '{${object},${field}}'`),
  }}`;

const targetId: Statement = sql`${{
  sqlite: () => text("json_extract(details, '$.target.id')"),
  postgres: () => text('target_id'),
}}`;

const customerOf: Statement = sql`${{
  sqlite: () => text('customer'),
  postgres: () => text('order_customer(details) COLLATE "C"'),
}}`;

/** Tells whether a value contains a string. Only ASCII letters match in any case; all alphabets would take PostgreSQL longer. */
const contains = (value: Statement, wanted: string): Statement =>
  sql`${{
    sqlite: () => sql`instr(lower(${value}), ${wanted}) > 0`,
    postgres: () => sql`strpos(lower((${value}) COLLATE "C"), ${wanted}) > 0`,
  }}`;

/** Tells whether a value begins with a string, by putting a separator before both. */
const begins = (value: Statement, wanted: string): Statement =>
  contains(sql`'|' || (${value})`, `|${wanted}`);

/** Matches unpaid orders, which have no terms yet. Their details are searched as text first, because reading them as JSON takes longer. */
function unpaidThat({ term, total }: SearchedText): Statement {
  const fields = [detail('contact', 'email'), detail('target', 'nickname'), detail('product', 'code')];
  const isInDetails = sql`
    ${contains(text('details'), `:"${term}`)}
      AND (${joined(
        fields.map((field) => begins(field, term)),
        ' OR ',
      )})`;
  const totals =
    total === null
      ? text('')
      : sql` OR total_price = ${total} OR ${begins(text('CAST(total_price AS TEXT)'), term)}`;
  return sql`
    SELECT order_id FROM orders
    WHERE payment_status = 'UNPAID' AND reserved = 0
      AND (${isInDetails} OR ${contains(text('order_id'), `-${term}`)}${totals})
    LIMIT ${mostOfKind}`;
}

/** Returns statements that find the ids of matching orders, one for each index. */
function findsOf(searched: SearchedText): Statement[] {
  const { term, orderId, exact, customer, total } = searched;
  const newest = (condition: Statement): Statement =>
    sql`SELECT order_id FROM order_terms WHERE ${condition} ORDER BY order_id DESC LIMIT ${mostOfKind}`;
  const orders = (condition: Statement): Statement =>
    sql`SELECT order_id FROM orders WHERE ${condition} LIMIT ${mostOfKind}`;
  return [
    newest(sql`term = ${term}`),
    ...(total === null || String(total) === term ? [] : [newest(sql`term = ${String(total)}`)]),
    sql`SELECT order_id FROM order_terms WHERE term > ${term} AND term < ${after(term)} LIMIT ${mostOfKind}`,
    orders(sql`order_id >= ${orderId} AND order_id < ${after(orderId)}`),
    orders(sql`${targetId} = ${exact}`),
    orders(sql`payment_reference = ${exact}`),
    ...(customer === null ? [] : [orders(sql`${customerOf} = ${customer} AND reserved = 0`)]),
    unpaidThat(searched),
  ];
}

export function* searchOrders({ text: searched, limit, ...filter }: OrderSearch): Command<StoredOrder[]> {
  const outcomes = yield findsOf(readSearchedText(searched));
  const ids = new Set(outcomes.flatMap(({ rows }) => rows.map((row) => textOf(row, 'order_id'))));
  if (ids.size === 0) return [];
  const isFound = sql`order_id IN (${eachOf([...ids])})`;
  // Sorts by a sum: otherwise the database would read all orders, newest first, until it has enough matches.
  return yield* all(
    sql`
      SELECT ${columns} FROM orders ${where([isFound, ...conditionsOf(filter), ...statusesOf(filter)])}
      ORDER BY created_at + 0 DESC, order_id DESC LIMIT ${limit}`,
    orderOf,
  );
}

/** Indexes changed orders for search. An order gets more terms with each change; all of its terms are added again, so none is missing. */
export function* indexForSearch(limit: number): Command<number> {
  const position = yield* first(sql`SELECT position FROM search_progress`, (row) => integer(row, 'position'));
  const changes = yield* findChanges(position ?? 0, limit);
  const last = changes.at(-1);
  if (!last) return 0;
  // A new order is unpaid, and has no terms yet.
  const later = changes.filter(({ entry }) => entry !== null);
  const ids = [...new Set(later.map(({ orderId }) => orderId))];
  const orders = yield* all(
    sql`SELECT ${columns} FROM orders WHERE reserved = 0 AND order_id IN (${eachOf(ids)})`,
    orderOf,
  );
  const terms = JSON.stringify(
    orders.flatMap((order) => searchTerms(order).map((term) => ({ term, id: order.orderId }))),
  );
  const rows = {
    // The condition is necessary, because SQLite would read ON as part of a join.
    sqlite: () => sql`SELECT value ->> 'term', value ->> 'id' FROM json_each(${terms}) WHERE true`,
    postgres: () =>
      sql`SELECT value ->> 'term', value ->> 'id' FROM json_array_elements(CAST(${terms} AS TEXT)::json)`,
  };
  yield [
    sql`INSERT INTO order_terms (term, order_id) ${rows} ON CONFLICT DO NOTHING`,
    // Another server may already have stored a later position.
    sql`UPDATE search_progress SET position = ${last.position} WHERE position < ${last.position}`,
  ];
  return changes.length;
}
