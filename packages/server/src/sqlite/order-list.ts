import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { OrderFilter, OrderState, StoredOrder } from '@topup-kit/core/store';
import { isDone, statesOf } from '../rows/order-list.ts';
import { orderColumns, orderOf } from '../rows/records.ts';

export interface OrderList {
  list(filter: OrderFilter): StoredOrder[];
}

/** Named, because SQLite doesn't know how many orders match, and would choose the wrong one for what is rare. */
function indexFor({ accountId, gameId }: OrderFilter, { buyStatus }: OrderState): string {
  if (!isDone(buyStatus)) return 'orders_open';
  if (accountId === undefined) return gameId === undefined ? 'orders_done' : 'orders_done_of_game';
  return gameId === undefined ? 'orders_done_of_account' : 'orders_done_of_account_and_game';
}

const select = (index: string, conditions: readonly string[]): string =>
  `SELECT ${orderColumns} FROM orders INDEXED BY ${index} WHERE ${['reserved = 0', ...conditions].join(' AND ')}`;

/** The statements whose results together are the list, each from one index. */
function partsOf(filter: OrderFilter): string[] {
  const { accountId, paymentStatus, buyStatus, gameId, customer, from, before, after } = filter;
  // Statuses are written out, because SQLite must know them to use an index of some statuses.
  const paid = paymentStatus === undefined ? [] : [`payment_status = '${paymentStatus}'`];
  const bought = buyStatus === undefined ? [] : [`buy_status = '${buyStatus}'`];
  const conditions = [
    ...(accountId === undefined ? [] : ['account_id = ?1']),
    ...(gameId === undefined ? [] : ['game_id = ?2']),
    ...(from === undefined ? [] : ['created_at >= ?6']),
    ...(before === undefined ? [] : ['created_at < ?7']),
    ...(after ? ['(created_at, order_id) < (?3, ?4)'] : []),
  ];
  // A customer has few orders, so that those of other kinds are skipped.
  if (customer !== undefined)
    return [select('orders_customer', ['customer = ?5', ...paid, ...bought, ...conditions])];
  if ([accountId, gameId, paymentStatus, buyStatus].every((one) => one === undefined))
    return [select('orders_newest', conditions)];
  return statesOf(filter).map((state) =>
    select(indexFor(filter, state), [
      ...[`payment_status = '${state.paymentStatus}'`, `buy_status = '${state.buyStatus}'`],
      ...conditions,
    ]),
  );
}

const statementFor = (filter: OrderFilter): string =>
  `${partsOf(filter).join(' UNION ALL ')} ORDER BY created_at DESC, order_id DESC LIMIT ?8`;

/** Lists orders by indexes alone: the cost of a page hardly depends on how many orders are stored, and how many of them match. */
export function prepareOrderList(db: DatabaseSync): OrderList {
  const statements = new Map<string, StatementSync>();

  function prepare(sql: string): StatementSync {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  return {
    list(filter) {
      const { accountId = null, gameId = null, customer = null, from = null, before = null } = filter;
      const { after, limit } = filter;
      const { createdAt = null, orderId = null } = after ?? {};
      // The limit is last, because SQLite rejects values beyond the last parameter of a statement.
      const values = [accountId, gameId, createdAt, orderId, customer, from, before, limit];
      return prepare(statementFor(filter))
        .all(...values)
        .map(orderOf);
    },
  };
}
