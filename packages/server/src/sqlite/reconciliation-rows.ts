import type { DatabaseSync } from 'node:sqlite';
import type { Conflict, Done, Reconciliation } from '@topup-kit/core/store';
import { done } from '@topup-kit/core/store';
import { reconciliationOf } from '../rows/records.ts';

type State = Reconciliation['state'];

export interface ReconciliationRows {
  add(reconciliation: Reconciliation): Done;
  list(state?: State): Reconciliation[];
  /** Marks an open reconciliation of this order, or of none, as settled by it. Returns false when there is none. */
  settle(reconciliationId: string, orderId: string): boolean;
  markReturned(
    reconciliationId: string,
    note: string,
  ): Done | Conflict<'reconciliation_missing' | 'reconciliation_closed'>;
  clear(): void;
}

export function prepareReconciliationRows(db: DatabaseSync): ReconciliationRows {
  const insert = db.prepare(`
    INSERT INTO reconciliations
      (reconciliation_id, order_id, reference, amount, paid_at, noticed_at, reason, state, note)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const select = db.prepare('SELECT 1 FROM reconciliations WHERE reconciliation_id = ?');
  const selectAll = db.prepare('SELECT * FROM reconciliations ORDER BY noticed_at, rowid');
  const selectByState = db.prepare(
    'SELECT * FROM reconciliations WHERE state = ? ORDER BY noticed_at, rowid',
  );
  const settle = db.prepare(`
    UPDATE reconciliations SET state = 'settled', order_id = ?2
    WHERE reconciliation_id = ?1 AND coalesce(order_id, ?2) = ?2 AND state = 'open'`);
  const markReturned = db.prepare(`
    UPDATE reconciliations SET state = 'returned', note = ? WHERE reconciliation_id = ? AND state = 'open'`);
  const clear = db.prepare('DELETE FROM reconciliations');

  return {
    add({ reconciliationId, orderId, reference, amount, paidAt, noticedAt, reason, state, note }) {
      insert.run(reconciliationId, orderId, reference, amount, paidAt, noticedAt, reason, state, note);
      return done;
    },
    list: (state) => (state ? selectByState.all(state) : selectAll.all()).map(reconciliationOf),
    settle: (reconciliationId, orderId) => settle.run(reconciliationId, orderId).changes > 0,
    markReturned(reconciliationId, note) {
      if (markReturned.run(note, reconciliationId).changes > 0) return done;
      return {
        conflict: select.get(reconciliationId) ? 'reconciliation_closed' : 'reconciliation_missing',
      };
    },
    clear: () => void clear.run(),
  };
}
