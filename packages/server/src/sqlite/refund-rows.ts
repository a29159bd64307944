import type { DatabaseSync } from 'node:sqlite';
import { type CloseRefund, type Conflict, type Done, done, type Refund } from '@topup-kit/core/store';
import { refundOf } from '../rows/records.ts';

export interface RefundRows {
  add(refund: Refund): void;
  findOfOrder(orderId: string): Refund[];
  list(state?: Refund['state']): Refund[];
  close(close: CloseRefund): Done | Conflict<'refund_missing' | 'refund_closed'>;
  clear(): void;
}

export function prepareRefundRows(db: DatabaseSync): RefundRows {
  const insert = db.prepare(`
    INSERT INTO refunds
      (refund_id, order_id, amount, units, created_at, operator, note, state, reference, closed_at, closed_by)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare('SELECT 1 FROM refunds WHERE refund_id = ?');
  const selectOfOrder = db.prepare('SELECT * FROM refunds WHERE order_id = ? ORDER BY created_at, rowid');
  const selectAll = db.prepare('SELECT * FROM refunds ORDER BY created_at, rowid');
  const selectByState = db.prepare('SELECT * FROM refunds WHERE state = ? ORDER BY created_at, rowid');
  const close = db.prepare(`
    UPDATE refunds SET state = ?, reference = ?, closed_at = ?, closed_by = ?
    WHERE refund_id = ? AND state = 'to-pay'`);
  const clear = db.prepare('DELETE FROM refunds');

  return {
    add({ refundId, orderId, amount, units, at, operator, note, state, reference, closedAt, closedBy }) {
      const numbers = JSON.stringify(units);
      insert.run(
        ...[refundId, orderId, amount, numbers, at, operator, note, state, reference, closedAt, closedBy],
      );
    },
    findOfOrder: (orderId) => selectOfOrder.all(orderId).map(refundOf),
    list: (state) => (state ? selectByState.all(state) : selectAll.all()).map(refundOf),
    close({ refundId, state, reference, closedAt, closedBy }) {
      if (close.run(state, reference, closedAt, closedBy, refundId).changes > 0) return done;
      return { conflict: select.get(refundId) ? 'refund_closed' : 'refund_missing' };
    },
    clear: () => void clear.run(),
  };
}
