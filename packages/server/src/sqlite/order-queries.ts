import type { DatabaseSync } from 'node:sqlite';
import type { ReservedOrder, StoredOrder } from '@topup-kit/core/store';
import { orderColumns, orderOf, reservedOrderOf } from './order-columns.ts';

export interface OrderQueries {
  find(orderId: string): StoredOrder | null;
  findByReference(reference: string): StoredOrder | null;
  findReserved(limit: number): ReservedOrder[];
  findOverdue(now: number, limit: number): StoredOrder[];
}

export function prepareOrderQueries(db: DatabaseSync): OrderQueries {
  const select = db.prepare(`SELECT ${orderColumns} FROM orders WHERE order_id = ? AND reserved = 0`);
  const selectByReference = db.prepare(`SELECT ${orderColumns} FROM orders WHERE payment_reference = ?`);
  const selectReserved = db.prepare(`
    SELECT ${orderColumns} FROM orders WHERE reserved = 1 ORDER BY created_at LIMIT ?`);
  const selectOverdue = db.prepare(`
    SELECT ${orderColumns} FROM orders
    WHERE payment_status = 'UNPAID' AND reserved = 0 AND expires_at <= ? ORDER BY expires_at LIMIT ?`);

  return {
    find(orderId) {
      const row = select.get(orderId);
      return row ? orderOf(row) : null;
    },
    findByReference(reference) {
      const row = selectByReference.get(reference);
      return row ? orderOf(row) : null;
    },
    findReserved: (limit) => selectReserved.all(limit).map(reservedOrderOf),
    findOverdue: (now, limit) => selectOverdue.all(now, limit).map(orderOf),
  };
}
