import {
  type Done,
  done,
  type ProviderProblem,
  providerCalls,
  type Reconciliation,
  type Store,
  type StoreDisplay,
  type StoreMode,
  type SupplierBalance,
  type SupplierList,
} from '@topup-kit/core/store';
import { integer, oneOf, type Row, text } from '../rows/columns.ts';
import { reconciliationOf, supplierListOf } from '../rows/records.ts';
import type { Connection, Sql } from './connection.ts';
import { growRevision } from './revision.ts';
import { withoutNul } from './text.ts';

/** Everything in a store that is not of an order, a promo, a key or a callback. */
export function createState({ read, write }: Connection) {
  const one = async (query: (sql: Sql) => Promise<readonly Row[]>): Promise<Row | null> =>
    (await read(query))[0] ?? null;

  async function readMode(): Promise<StoreMode | null> {
    const row = await one((sql) => sql`SELECT mode FROM mode`);
    return row && oneOf<StoreMode>(['live', 'sandbox'], row, 'mode');
  }

  return {
    readMode,
    async claimMode(mode: StoreMode): ReturnType<Store['claimMode']> {
      await write(async (sql) => {
        await sql`INSERT INTO mode (id, mode) VALUES (1, ${mode}) ON CONFLICT DO NOTHING`;
        return done;
      });
      const claimed = await readMode();
      return claimed === null || claimed === mode ? done : { conflict: 'other_mode', mode: claimed };
    },

    async readDisplay(): Promise<StoreDisplay | null> {
      const row = await one((sql) => sql`SELECT currency, timezone FROM display`);
      return row && { currency: text(row, 'currency'), timezone: text(row, 'timezone') };
    },
    saveDisplay: ({ currency, timezone }: StoreDisplay): Promise<Done> =>
      write(async (sql) => {
        await sql`
          INSERT INTO display (id, currency, timezone) VALUES (1, ${currency}, ${timezone})
          ON CONFLICT (id) DO UPDATE SET currency = excluded.currency, timezone = excluded.timezone`;
        return done;
      }),

    async readSupplierBalance(): Promise<SupplierBalance | null> {
      const row = await one(
        (sql) => sql`SELECT supplier, balance, alert_below, read_at FROM supplier_balance`,
      );
      return (
        row && {
          supplier: text(row, 'supplier'),
          balance: integer(row, 'balance'),
          alertBelow: integer(row, 'alert_below'),
          readAt: integer(row, 'read_at'),
        }
      );
    },
    saveSupplierBalance: ({ supplier, balance, alertBelow, readAt }: SupplierBalance): Promise<Done> =>
      write(async (sql) => {
        await sql`
          INSERT INTO supplier_balance (id, supplier, balance, alert_below, read_at)
          VALUES (1, ${supplier}, ${balance}, ${alertBelow}, ${readAt})
          ON CONFLICT (id) DO UPDATE SET supplier = excluded.supplier, balance = excluded.balance,
            alert_below = excluded.alert_below, read_at = excluded.read_at`;
        return done;
      }),

    readSupplierLists: (): Promise<SupplierList[]> =>
      read(async (sql) => {
        const rows = await sql<
          Row[]
        >`SELECT supplier, read_at, products FROM supplier_lists ORDER BY read_at DESC`;
        return rows.map(supplierListOf);
      }),
    saveSupplierList: ({ supplier, readAt, products }: SupplierList): Promise<Done> =>
      write(async (sql) => {
        await sql`
          INSERT INTO supplier_lists (supplier, read_at, products)
          VALUES (${supplier}, ${readAt}, ${JSON.stringify(products)})
          ON CONFLICT (supplier) DO UPDATE SET read_at = excluded.read_at, products = excluded.products`;
        await growRevision(sql);
        return done;
      }),

    readProviderProblems: (): Promise<ProviderProblem[]> =>
      read(async (sql) => {
        const rows = await sql<Row[]>`
          SELECT provider, call, problem, since FROM provider_problems ORDER BY provider, call`;
        return rows.map((row) => ({
          provider: text(row, 'provider'),
          call: oneOf(providerCalls, row, 'call'),
          problem: text(row, 'problem'),
          since: integer(row, 'since'),
        }));
      }),
    saveProviderProblems: (problems: readonly ProviderProblem[]): Promise<Done> =>
      write(async (sql) => {
        await sql`DELETE FROM provider_problems`;
        for (const { provider, call, problem, since } of problems)
          await sql`
            INSERT INTO provider_problems (provider, call, problem, since)
            VALUES (${provider}, ${call}, ${withoutNul(problem)}, ${since})
            ON CONFLICT (provider, call) DO UPDATE SET problem = excluded.problem, since = excluded.since`;
        return done;
      }),

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

    async readWorldOffset(): Promise<number> {
      return integer((await one((sql) => sql`SELECT ahead FROM world`)) ?? {}, 'ahead');
    },
    async moveWorld(by: number): Promise<number> {
      const { ahead } = await write(async (sql) => {
        const [row = {}] = await sql<Row[]>`UPDATE world SET ahead = ahead + ${by} RETURNING ahead`;
        return { ahead: integer(row, 'ahead') };
      });
      return ahead;
    },
  };
}
