import type { DatabaseSync } from 'node:sqlite';
import { integerOrNull } from './columns.ts';

export interface DueRows {
  /** The earliest moment at which an unpaid order expires or a unit is to be asked for. */
  next(): number | null;
}

/** The first entry of each of two indexes, which costs the same however many orders there are. */
export function prepareDueRows(db: DatabaseSync): DueRows {
  const select = db.prepare(`
    SELECT min(due_at) AS due_at FROM (
      SELECT * FROM (
        SELECT expires_at AS due_at FROM orders
        WHERE payment_status = 'UNPAID' AND reserved = 0 ORDER BY expires_at LIMIT 1)
      UNION ALL
      SELECT * FROM (SELECT next_at FROM units WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1)
    )`);

  return {
    next: () => integerOrNull(select.get() ?? { due_at: null }, 'due_at'),
  };
}
