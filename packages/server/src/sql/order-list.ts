import { type BuyStatus, buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { OrderFilter, OrderState } from '@topup-kit/core/store';
import { orderColumns } from '../rows/orders.ts';
import { joined, type Statement, sql, text, where } from './statement.ts';

// Lists orders, newest first, by indexes only: the time for a page hardly depends on the number of stored or matching
// orders. In an index, the orders of each state are together, newest first. A list of several states merges the newest
// orders of each state, so of a million orders it reads only those that it shows, and a few of each state.

const columns = text(orderColumns);

/** Returns the states that a filter matches. */
const statesOf = ({ paymentStatus, buyStatus }: OrderFilter): OrderState[] =>
  paymentStatuses
    .filter((status) => paymentStatus === undefined || status === paymentStatus)
    .flatMap((paid) =>
      buyStatuses
        .filter((status) => buyStatus === undefined || status === buyStatus)
        .map((bought) => ({ paymentStatus: paid, buyStatus: bought })),
    );

/** Statuses of finished orders. Released migrations contain the same list. */
const doneStatuses: readonly BuyStatus[] = ['Sukses', 'Gagal', 'Batal'];

/** Tells whether an order is in the indexes of finished orders instead of those of open orders. */
const isDone = ({ buyStatus }: OrderState): boolean => doneStatuses.includes(buyStatus);

const hasNoFilter = ({ accountId, paymentStatus, buyStatus, gameId }: OrderFilter): boolean =>
  [accountId, paymentStatus, buyStatus, gameId].every((filter) => filter === undefined);

/** Returns the conditions for all orders of a list, except those for their states and their customer. */
export const conditionsOf = ({
  accountId,
  gameId,
  from,
  before,
  after,
}: Omit<OrderFilter, 'limit'>): Statement[] => [
  text('reserved = 0'),
  ...(accountId === undefined ? [] : [sql`account_id = ${accountId}`]),
  ...(gameId === undefined ? [] : [sql`game_id = ${gameId}`]),
  ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
  ...(before === undefined ? [] : [sql`created_at < ${before}`]),
  ...(after ? [sql`(created_at, order_id) < (${after.createdAt}, ${after.orderId})`] : []),
];

/** Returns a condition for the statuses. They are literals, because an engine must know them to use a partial index. */
export const statusesOf = ({
  paymentStatus,
  buyStatus,
}: Pick<OrderFilter, 'paymentStatus' | 'buyStatus'>): Statement[] => [
  ...(paymentStatus === undefined ? [] : [text(`payment_status = '${paymentStatus}'`)]),
  ...(buyStatus === undefined ? [] : [text(`buy_status = '${buyStatus}'`)]),
];

/** Names the index, because SQLite doesn't know the number of matching orders, and would choose a wrong index for rare ones. */
function indexFor({ accountId, gameId }: OrderFilter, state: OrderState): string {
  if (!isDone(state)) return 'orders_open';
  if (accountId === undefined) return gameId === undefined ? 'orders_done' : 'orders_done_of_game';
  return gameId === undefined ? 'orders_done_of_account' : 'orders_done_of_account_and_game';
}

/** Returns the statements whose combined results are the list. Each uses one index. */
function sqliteParts(filter: OrderFilter): Statement[] {
  const conditions = conditionsOf(filter);
  const select = (index: string, ...more: Statement[]): Statement =>
    sql`SELECT ${columns} FROM orders INDEXED BY ${text(index)} ${where([...more, ...conditions])}`;
  // A customer has few orders, so other indexes are not needed.
  if (filter.customer !== undefined)
    return [select('orders_customer', sql`customer = ${filter.customer}`, ...statusesOf(filter))];
  if (hasNoFilter(filter)) return [select('orders_newest')];
  return statesOf(filter).map((state) => select(indexFor(filter, state), ...statusesOf(state)));
}

const sqliteList = (filter: OrderFilter): Statement =>
  sql`${joined(sqliteParts(filter), ' UNION ALL ')} ORDER BY created_at DESC, order_id DESC LIMIT ${filter.limit}`;

/** Conditions of the indexes; PostgreSQL uses an index only for queries that repeat its condition. */
const areDone = "buy_status IN ('Sukses', 'Gagal', 'Batal')";
const areOpen = "buy_status IN ('Pending', 'Proses')";

const valuesOf = (states: readonly OrderState[]): string =>
  states.map(({ paymentStatus, buyStatus }) => `('${paymentStatus}', '${buyStatus}')`).join(', ');

function postgresList(filter: OrderFilter): Statement {
  const { customer, after, limit } = filter;
  const conditions = conditionsOf(filter);
  const newest = sql`ORDER BY created_at DESC, order_id DESC LIMIT ${limit}`;
  if (customer !== undefined) {
    // Uses a range instead of an equality, and sorts by the customer as well: otherwise PostgreSQL may read all orders,
    // newest first, until it has found enough. A customer has few orders, so other indexes are not needed.
    const of = text('order_customer(details) COLLATE "C"');
    const end = after
      ? sql`(${of}, created_at, order_id) < (${customer}, ${after.createdAt}, ${after.orderId})`
      : sql`${of} <= ${customer}`;
    return sql`
      SELECT ${columns} FROM orders
      ${where([sql`${of} >= ${customer}`, end, ...conditions, ...statusesOf(filter)])}
      ORDER BY ${of} DESC, created_at DESC, order_id DESC LIMIT ${limit}`;
  }
  if (hasNoFilter(filter)) return sql`SELECT ${columns} FROM orders ${where(conditions)} ${newest}`;

  const newestOf = (states: readonly OrderState[], condition: string): Statement[] =>
    states.length === 0
      ? []
      : [
          sql`
            SELECT listed.* FROM (VALUES ${text(valuesOf(states))}) AS state (paid, bought) CROSS JOIN LATERAL (
              SELECT order_id, created_at FROM orders
              ${where([text(`payment_status = paid AND buy_status = bought AND ${condition}`), ...conditions])}
              ${newest}) AS listed`,
        ];
  const states = statesOf(filter);
  const listed = joined(
    [
      ...newestOf(states.filter(isDone), areDone),
      ...newestOf(
        states.filter((state) => !isDone(state)),
        areOpen,
      ),
    ],
    ' UNION ALL ',
  );
  return sql`
    SELECT ${columns} FROM orders WHERE order_id IN (SELECT order_id FROM (${listed}) AS listed ${newest}) ${newest}`;
}

/** Returns the list of orders. Each engine needs different hints to use the right indexes. */
export const orderList = (filter: OrderFilter): Statement =>
  sql`${{ sqlite: () => sqliteList(filter), postgres: () => postgresList(filter) }}`;
