import type { DatabaseSync } from 'node:sqlite';
import type { Conflict, Done, HistoryEntry, Reconciliation } from '@topup-kit/core/store';
import { done } from '@topup-kit/core/store';
import { reconciliationOf } from '../rows/records.ts';

type State = Reconciliation['state'];

interface ReconciliationList {
  list(state?: State): Reconciliation[];
}

export interface ReconciliationRows extends ReconciliationList {
  add(reconciliation: Reconciliation): Done;
  /** Marks an open reconciliation of this order, or of none, as settled by it. Returns false when there is none. */
  settle(
    reconciliationId: string,
    settled: { orderId: string; by: Pick<HistoryEntry, 'at' | 'operator'> | null },
  ): boolean;
  markReturned(
    reconciliationId: string,
    note: string,
    closed?: Pick<Reconciliation, 'closedAt' | 'closedBy'>,
  ): Done | Conflict<'reconciliation_missing' | 'reconciliation_closed'>;
  clear(): void;
}

/** Reads stores of earlier formats, too. */
export function prepareReconciliationList(db: DatabaseSync): ReconciliationList {
  const selectAll = db.prepare('SELECT * FROM reconciliations ORDER BY noticed_at, rowid');
  const selectByState = db.prepare(
    'SELECT * FROM reconciliations WHERE state = ? ORDER BY noticed_at, rowid',
  );
  return {
    list: (state) => (state ? selectByState.all(state) : selectAll.all()).map(reconciliationOf),
  };
}

export function prepareReconciliationRows(db: DatabaseSync): ReconciliationRows {
  const insert = db.prepare(`
    INSERT INTO reconciliations
      (reconciliation_id, order_id, reference, amount, paid_at, noticed_at, reason, state, note, closed_at,
        closed_by)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const select = db.prepare('SELECT 1 FROM reconciliations WHERE reconciliation_id = ?');
  const settle = db.prepare(`
    UPDATE reconciliations SET state = 'settled', order_id = ?2, closed_at = ?3, closed_by = ?4
    WHERE reconciliation_id = ?1 AND coalesce(order_id, ?2) = ?2 AND state = 'open'`);
  const markReturned = db.prepare(`
    UPDATE reconciliations SET state = 'returned', note = ?, closed_at = ?, closed_by = ?
    WHERE reconciliation_id = ? AND state = 'open'`);
  const clear = db.prepare('DELETE FROM reconciliations');

  return {
    ...prepareReconciliationList(db),
    add(added) {
      const { reconciliationId, orderId, reference, amount, paidAt, noticedAt, reason } = added;
      insert.run(
        ...[reconciliationId, orderId, reference, amount, paidAt, noticedAt, reason],
        ...[added.state, added.note, added.closedAt, added.closedBy],
      );
      return done;
    },
    settle: (reconciliationId, { orderId, by }) =>
      settle.run(reconciliationId, orderId, by?.at ?? null, by?.operator ?? null).changes > 0,
    markReturned(reconciliationId, note, { closedAt, closedBy } = { closedAt: null, closedBy: null }) {
      if (markReturned.run(note, closedAt, closedBy, reconciliationId).changes > 0) return done;
      return {
        conflict: select.get(reconciliationId) ? 'reconciliation_closed' : 'reconciliation_missing',
      };
    },
    clear: () => void clear.run(),
  };
}
