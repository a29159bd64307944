import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type {
  ExpiringPayment,
  OrderFilter,
  OrderProgress,
  OrdersInState,
  ReservedOrder,
  StoredOrder,
} from '@topup-kit/core/store';
import { integer, oneOf, text } from '../rows/columns.ts';
import { orderColumns, orderOf, progressColumns, progressOf, reservedOrderOf } from '../rows/records.ts';

export interface OrderQueries {
  find(orderId: string): StoredOrder | null;
  findProgress(orderId: string): OrderProgress | null;
  findByReference(reference: string): StoredOrder | null;
  findOfTarget(targetId: string, since: number): ReservedOrder[];
  findReserved(limit: number): ReservedOrder[];
  countByState(): OrdersInState[];
  findOverdue(now: number, limit: number): StoredOrder[];
  findPaymentsByExpiry(
    status: 'UNPAID' | 'EXPIRED',
    after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>,
    limit: number,
  ): ExpiringPayment[];
}

export function prepareOrderQueries(db: DatabaseSync): OrderQueries {
  const prepareById = (columns: string): StatementSync =>
    db.prepare(`SELECT ${columns} FROM orders WHERE order_id = ? AND reserved = 0`);
  const select = prepareById(orderColumns);
  const selectProgress = prepareById(progressColumns);
  const selectByReference = db.prepare(`SELECT ${orderColumns} FROM orders WHERE payment_reference = ?`);
  const selectOfTarget = db.prepare(`
    SELECT ${orderColumns} FROM orders WHERE json_extract(details, '$.target.id') = ? AND created_at >= ?`);
  const selectReserved = db.prepare(`
    SELECT ${orderColumns} FROM orders WHERE reserved = 1 ORDER BY created_at LIMIT ?`);
  const selectCounts = db.prepare(
    'SELECT payment_status, buy_status, count FROM order_counts WHERE count > 0',
  );
  const selectOverdue = db.prepare(`
    SELECT ${orderColumns} FROM orders
    WHERE payment_status = 'UNPAID' AND reserved = 0 AND expires_at <= ? ORDER BY expires_at LIMIT ?`);
  // One statement for each status, because each has an index of its own.
  const prepareByExpiry = (condition: string): StatementSync =>
    db.prepare(`
      SELECT order_id, created_at, expires_at FROM orders
      WHERE ${condition} AND (expires_at, order_id) > (?, ?) ORDER BY expires_at, order_id LIMIT ?`);
  const byExpiry = {
    UNPAID: prepareByExpiry("payment_status = 'UNPAID' AND reserved = 0"),
    EXPIRED: prepareByExpiry("payment_status = 'EXPIRED'"),
  };

  return {
    find(orderId) {
      const row = select.get(orderId);
      return row ? orderOf(row) : null;
    },
    findProgress(orderId) {
      const row = selectProgress.get(orderId);
      return row ? progressOf(row) : null;
    },
    findByReference(reference) {
      const row = selectByReference.get(reference);
      return row ? orderOf(row) : null;
    },
    findOfTarget: (targetId, since) => selectOfTarget.all(targetId, since).map(reservedOrderOf),
    findReserved: (limit) => selectReserved.all(limit).map(reservedOrderOf),
    countByState: () =>
      selectCounts.all().map((row) => ({
        paymentStatus: oneOf(paymentStatuses, row, 'payment_status'),
        buyStatus: oneOf(buyStatuses, row, 'buy_status'),
        count: integer(row, 'count'),
      })),
    findOverdue: (now, limit) => selectOverdue.all(now, limit).map(orderOf),
    findPaymentsByExpiry: (status, after, limit) =>
      byExpiry[status].all(after.expiresAt, after.orderId, limit).map((row) => ({
        orderId: text(row, 'order_id'),
        createdAt: integer(row, 'created_at'),
        expiresAt: integer(row, 'expires_at'),
      })),
  };
}

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

/** Each combination of filters has its own statement, so that SQLite can choose the best index for it. */
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
