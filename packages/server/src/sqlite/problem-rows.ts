import type { DatabaseSync } from 'node:sqlite';
import type { OrderProblem } from '@topup-kit/core/store';
import { type Row, text } from '../rows/columns.ts';

export interface ProblemRows {
  find(problem: OrderProblem, limit: number): string[];
}

/** The first different orders of some rows; it reads no more rows than it needs. */
function firstOrders(limit: number, ...results: Iterable<Row>[]): string[] {
  const found = new Set<string>();
  for (const rows of results)
    for (const row of rows) {
      if (found.size === limit) return [...found];
      found.add(text(row, 'order_id'));
    }
  return [...found];
}

/** Each statement reads an index of nothing but what it looks for, so the cost doesn't grow with the number of orders. */
export function prepareProblemRows(db: DatabaseSync): ProblemRows {
  const unknown = db.prepare(`SELECT order_id FROM units WHERE state = 'unknown' ORDER BY order_id`);
  const open = db.prepare(`
    SELECT order_id FROM units
    WHERE next_at IS NOT NULL AND coalesce(asked_at, next_at) < ? AND waits_for IS NULL
    ORDER BY coalesce(asked_at, next_at), order_id`);
  const unfunded = db.prepare(
    'SELECT order_id FROM units WHERE waits_for IS NOT NULL AND next_at IS NOT NULL ORDER BY order_id',
  );
  const contradicted = db.prepare(
    'SELECT order_id FROM units WHERE contradiction IS NOT NULL ORDER BY order_id',
  );
  const failed = db.prepare(`
    SELECT order_id FROM orders
    WHERE payment_status = 'PAID' AND buy_status = 'Gagal' AND NOT EXISTS (
      SELECT 1 FROM units WHERE units.order_id = orders.order_id AND contradiction IS NOT NULL)
    ORDER BY order_id LIMIT ?`);
  const reserved = db.prepare(
    'SELECT order_id FROM orders WHERE reserved = 1 AND created_at < ? ORDER BY created_at LIMIT ?',
  );

  return {
    find(problem, limit) {
      switch (problem.kind) {
        case 'stuck':
          return firstOrders(limit, unknown.iterate(), open.iterate(problem.before));
        case 'unfunded':
          return firstOrders(limit, unfunded.iterate());
        case 'contradicted':
          return firstOrders(limit, contradicted.iterate());
        case 'failed':
          return firstOrders(limit, failed.all(limit));
        case 'reserved':
          return firstOrders(limit, reserved.all(problem.before, limit));
      }
    },
  };
}
