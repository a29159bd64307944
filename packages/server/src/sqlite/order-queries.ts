import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type {
  ExpiringPayment,
  OrderProgress,
  OrdersInState,
  ReservedOrder,
  StoredOrder,
} from '@topup-kit/core/store';
import { integer, text } from '../rows/columns.ts';
import {
  orderColumns,
  orderOf,
  ordersInStateOf,
  progressColumns,
  progressOf,
  reservedOrderOf,
} from '../rows/records.ts';

export interface OrderQueries {
  find(orderId: string): StoredOrder | null;
  findProgress(orderId: string): OrderProgress | null;
  findByReference(reference: string): StoredOrder | null;
  findByPage(reference: string): StoredOrder | null;
  findOfTarget(targetId: string, since: number): ReservedOrder[];
  findTakenTotals(paymentMethodId: number, lowest: number, highest: number): number[];
  findReserved(limit: number): ReservedOrder[];
  countByState(): OrdersInState[];
  findOverdue(now: number, limit: number): StoredOrder[];
  findPaymentsByExpiry(
    status: 'UNPAID' | 'EXPIRED',
    after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>,
    limit: number,
  ): ExpiringPayment[];
}

/** How many orders are in each state; triggers keep the counts. */
export const orderCounts = 'SELECT payment_status, buy_status, count FROM order_counts WHERE count > 0';

export function prepareOrderQueries(db: DatabaseSync): OrderQueries {
  const prepareById = (columns: string): StatementSync =>
    db.prepare(`SELECT ${columns} FROM orders WHERE order_id = ? AND reserved = 0`);
  const select = prepareById(orderColumns);
  const selectProgress = prepareById(progressColumns);
  const selectByReference = db.prepare(`SELECT ${orderColumns} FROM orders WHERE payment_reference = ?`);
  const selectByPage = db.prepare(
    `SELECT ${orderColumns} FROM orders WHERE page_reference = ? AND reserved = 0`,
  );
  const selectWithoutPage = db.prepare(
    `SELECT ${orderColumns} FROM orders WHERE payment_reference = ? AND page_reference IS NULL`,
  );
  const selectOfTarget = db.prepare(`
    SELECT ${orderColumns} FROM orders WHERE json_extract(details, '$.target.id') = ? AND created_at >= ?`);
  const selectTotals = db.prepare(`
    SELECT total_price FROM orders
    WHERE payment_method_id = ? AND total_price BETWEEN ? AND ? AND unique_code > 0 AND payment_status = 'UNPAID'`);
  const selectReserved = db.prepare(`
    SELECT ${orderColumns} FROM orders WHERE reserved = 1 ORDER BY created_at LIMIT ?`);
  const selectCounts = db.prepare(orderCounts);
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
    findByPage(reference) {
      const row = selectByPage.get(reference) ?? selectWithoutPage.get(reference);
      return row ? orderOf(row) : null;
    },
    findOfTarget: (targetId, since) => selectOfTarget.all(targetId, since).map(reservedOrderOf),
    findTakenTotals: (...range) => selectTotals.all(...range).map((row) => integer(row, 'total_price')),
    findReserved: (limit) => selectReserved.all(limit).map(reservedOrderOf),
    countByState: () => selectCounts.all().map(ordersInStateOf),
    findOverdue: (now, limit) => selectOverdue.all(now, limit).map(orderOf),
    findPaymentsByExpiry: (status, after, limit) =>
      byExpiry[status].all(after.expiresAt, after.orderId, limit).map((row) => ({
        orderId: text(row, 'order_id'),
        createdAt: integer(row, 'created_at'),
        expiresAt: integer(row, 'expires_at'),
      })),
  };
}
