import { type Done, done, type Reconciliation, type Store } from '@topup-kit/core/store';
import type { Row } from '../rows/columns.ts';
import { reconciliationOf } from '../rows/records.ts';
import type { Connection } from './connection.ts';
import { withoutNul } from './text.ts';

export function createReconciliations({ read, write }: Connection) {
  return {
    addReconciliation: (added: Reconciliation): Promise<Done> =>
      write(async (sql) => {
        await sql`
          INSERT INTO reconciliations
            (reconciliation_id, order_id, reference, amount, paid_at, noticed_at, reason, state, note, closed_at,
              closed_by)
          VALUES (${added.reconciliationId}, ${added.orderId}, ${withoutNul(added.reference)}, ${added.amount},
            ${added.paidAt}, ${added.noticedAt}, ${added.reason}, ${added.state}, ${withoutNul(added.note)},
            ${added.closedAt}, ${withoutNul(added.closedBy)})
          ON CONFLICT DO NOTHING`;
        return done;
      }),
    listReconciliations: (state?: Reconciliation['state']): Promise<Reconciliation[]> =>
      read(async (sql) => {
        const rows = await sql<Row[]>`
          SELECT * FROM reconciliations ${state ? sql`WHERE state = ${state}` : sql``} ORDER BY noticed_at, sequence`;
        return rows.map(reconciliationOf);
      }),
    returnReconciliation: (
      reconciliationId: string,
      note: string,
      { closedAt, closedBy }: Pick<Reconciliation, 'closedAt' | 'closedBy'> = {
        closedAt: null,
        closedBy: null,
      },
    ): ReturnType<Store['returnReconciliation']> =>
      write(async (sql): Promise<Awaited<ReturnType<Store['returnReconciliation']>>> => {
        const { count } = await sql`
          UPDATE reconciliations
          SET state = 'returned', note = ${withoutNul(note)}, closed_at = ${closedAt}, closed_by = ${withoutNul(closedBy)}
          WHERE reconciliation_id = ${reconciliationId} AND state = 'open'`;
        if (count > 0) return done;
        const [known] =
          await sql`SELECT 1 FROM reconciliations WHERE reconciliation_id = ${reconciliationId}`;
        return { conflict: known ? 'reconciliation_closed' : 'reconciliation_missing' };
      }),
  };
}
