import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { OrderFilter, StoredOrder } from '@topup-kit/core/store';
import { orderColumns, orderOf } from './order-columns.ts';

export interface OrderList {
  list(filter: OrderFilter): StoredOrder[];
}

interface Condition {
  sql: string;
  values: SQLInputValue[];
}

const equal = (column: string, value: SQLInputValue | undefined): Condition[] =>
  value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }];

const conditionsOf = ({ accountId, paymentStatus, buyStatus, gameId, after }: OrderFilter): Condition[] => [
  ...equal('account_id', accountId),
  ...equal('payment_status', paymentStatus),
  ...equal('buy_status', buyStatus),
  ...equal('game_id', gameId),
  ...(after ? [{ sql: '(created_at, order_id) < (?, ?)', values: [after.createdAt, after.orderId] }] : []),
];

/** Each combination of filters has a statement of its own, so that SQLite can choose the index that serves it. */
export function prepareOrderList(db: DatabaseSync): OrderList {
  const statements = new Map<string, StatementSync>();

  function prepare(where: string): StatementSync {
    const known = statements.get(where);
    if (known) return known;
    const statement = db.prepare(
      `SELECT ${orderColumns} FROM orders WHERE ${where} ORDER BY created_at DESC, order_id DESC LIMIT ?`,
    );
    statements.set(where, statement);
    return statement;
  }

  return {
    list(filter) {
      const conditions = conditionsOf(filter);
      const where = ['reserved = 0', ...conditions.map(({ sql }) => sql)].join(' AND ');
      const values = conditions.flatMap((condition) => condition.values);
      return prepare(where)
        .all(...values, filter.limit)
        .map(orderOf);
    },
  };
}
