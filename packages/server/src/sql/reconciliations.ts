import {
  activityOfClosing,
  type Done,
  done,
  type HistoryEntry,
  type Reconciliation,
  type ReconciliationFilter,
} from '@topup-kit/core/store';
import { integer } from '../rows/columns.ts';
import { reconciliationOf } from '../rows/records.ts';
import { insertActivities } from './activity.ts';
import { added } from './dialect.ts';
import {
  all,
  type Command,
  exists,
  first,
  type ResultOf,
  run,
  type Statement,
  sql,
  where,
} from './statement.ts';

export function* addReconciliation(reconciliation: Reconciliation): Command<Done> {
  const { reconciliationId, orderId, reference, amount, fee, paidAt, noticedAt } = reconciliation;
  const { reason, state, note, closedAt, closedBy } = reconciliation;
  yield* run(sql`
    INSERT INTO reconciliations
      (reconciliation_id, order_id, reference, amount, fee, paid_at, noticed_at, reason, state, note, closed_at, closed_by)
    VALUES (${reconciliationId}, ${orderId}, ${reference}, ${amount}, ${fee}, ${paidAt}, ${noticedAt}, ${reason},
      ${state}, ${note}, ${closedAt}, ${closedBy})
    ON CONFLICT DO NOTHING`);
  return done;
}

export const listReconciliations = ({
  reconciliationId,
  orderId,
  reference,
  state,
}: ReconciliationFilter = {}): Command<Reconciliation[]> => {
  const conditions = [
    ...(reconciliationId === undefined ? [] : [sql`reconciliation_id = ${reconciliationId}`]),
    ...(orderId === undefined ? [] : [sql`order_id = ${orderId}`]),
    ...(reference === undefined ? [] : [sql`reference = ${reference}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
  ];
  return all(
    sql`SELECT * FROM reconciliations ${where(conditions)} ORDER BY noticed_at, ${added}`,
    reconciliationOf,
  );
};

/** Marks an open reconciliation, which belongs to this order or to no order, as settled by this order. */
export const settle = (
  reconciliationId: string,
  orderId: string,
  by: Pick<HistoryEntry, 'at' | 'operator'> | null,
): Statement => sql`
  UPDATE reconciliations SET state = 'settled', order_id = ${orderId}, closed_at = ${by?.at ?? null},
    closed_by = ${by?.operator ?? null}
  WHERE reconciliation_id = ${reconciliationId} AND coalesce(order_id, ${orderId}) = ${orderId} AND state = 'open'`;

export function* returnReconciliation(
  reconciliationId: string,
  note: string,
  { closedAt, closedBy }: Pick<Reconciliation, 'closedAt' | 'closedBy'> = { closedAt: null, closedBy: null },
): Command<ResultOf<'returnReconciliation'>> {
  const amount = yield* first(
    sql`
      UPDATE reconciliations SET state = 'returned', note = ${note}, closed_at = ${closedAt}, closed_by = ${closedBy}
      WHERE reconciliation_id = ${reconciliationId} AND state = 'open' RETURNING amount`,
    (row) => integer(row, 'amount'),
  );
  if (amount !== null) {
    yield insertActivities(
      activityOfClosing('payment.returned', reconciliationId, amount, { closedAt, closedBy }),
    );
    return done;
  }
  const isKnown = yield* exists(
    sql`SELECT 1 FROM reconciliations WHERE reconciliation_id = ${reconciliationId}`,
  );
  return { conflict: isKnown ? 'reconciliation_closed' : 'reconciliation_missing' };
}
