import {
  type Done,
  done,
  type ProviderHealthIssue,
  providerCalls,
  type RaisedAlert,
  type RaisedAlerts,
  type Store,
  type StoreDisplay,
  type StoreMode,
  type SupplierBalance,
  type SupplierList,
} from '@topup-kit/core/store';
import { integer, integerOrNull, json, oneOf, text } from '../rows/columns.ts';
import { supplierListOf } from '../rows/records.ts';
import { insertActivities } from './activity.ts';
import { all, type Command, change, first, type ResultOf, run, sql } from './statement.ts';

export const readMode = (): Command<StoreMode | null> =>
  first(sql`SELECT mode FROM mode`, (row) => oneOf<StoreMode>(['live', 'sandbox'], row, 'mode'));

export function* claimMode(mode: StoreMode): Command<ResultOf<'claimMode'>> {
  const isNew = yield* change(sql`INSERT INTO mode (id, mode) VALUES (1, ${mode}) ON CONFLICT DO NOTHING`);
  // Stores of earlier versions lack this table.
  if (isNew > 0)
    yield* run(sql`INSERT INTO revisions (name, value) VALUES ('defaults', 1) ON CONFLICT DO NOTHING`);
  const claimed = yield* readMode();
  return claimed === null || claimed === mode ? done : { conflict: 'other_mode', mode: claimed };
}

export function* readDefaults(): Command<number> {
  return (
    (yield* first(sql`SELECT value FROM revisions WHERE name = 'defaults'`, (row) =>
      integer(row, 'value'),
    )) ?? 0
  );
}

export const readDisplay = (): Command<StoreDisplay | null> =>
  first(sql`SELECT currency, timezone FROM display`, (row) => ({
    currency: text(row, 'currency'),
    timezone: text(row, 'timezone'),
  }));

export function* saveDisplay({ currency, timezone }: StoreDisplay): Command<Done> {
  yield* run(sql`
    INSERT INTO display (id, currency, timezone) VALUES (1, ${currency}, ${timezone})
    ON CONFLICT (id) DO UPDATE SET currency = excluded.currency, timezone = excluded.timezone`);
  return done;
}

export const readSupplierBalances = (): Command<SupplierBalance[]> =>
  all(
    sql`SELECT supplier, balance, alert_below, read_at FROM supplier_balances ORDER BY supplier`,
    (row) => ({
      supplier: text(row, 'supplier'),
      balance: integer(row, 'balance'),
      alertBelow: integer(row, 'alert_below'),
      readAt: integer(row, 'read_at'),
    }),
  );

export function* saveSupplierBalance(saved: SupplierBalance): Command<Done> {
  yield* run(sql`
    INSERT INTO supplier_balances (supplier, balance, alert_below, read_at)
    VALUES (${saved.supplier}, ${saved.balance}, ${saved.alertBelow}, ${saved.readAt})
    ON CONFLICT (supplier) DO UPDATE
      SET balance = excluded.balance, alert_below = excluded.alert_below, read_at = excluded.read_at`);
  return done;
}

export const readSupplierLists = (): Command<SupplierList[]> =>
  all(sql`SELECT supplier, read_at, products FROM supplier_lists ORDER BY read_at DESC`, supplierListOf);

export const readProviderProblems = (): Command<ProviderHealthIssue[]> =>
  all(sql`SELECT provider, call, problem, since FROM provider_problems ORDER BY provider, call`, (row) => ({
    provider: text(row, 'provider'),
    call: oneOf(providerCalls, row, 'call'),
    problem: text(row, 'problem'),
    since: integer(row, 'since'),
  }));

export function* saveProviderProblems(problems: readonly ProviderHealthIssue[]): Command<Done> {
  yield [
    sql`DELETE FROM provider_problems`,
    // Another server may have saved the same rows in the meantime.
    ...problems.map(
      ({ provider, call, problem, since }) => sql`
        INSERT INTO provider_problems (provider, call, problem, since)
        VALUES (${provider}, ${call}, ${problem}, ${since})
        ON CONFLICT (provider, call) DO UPDATE SET problem = excluded.problem, since = excluded.since`,
    ),
  ];
  return done;
}

/** Reads how far world time is ahead of real time, in milliseconds. */
export function* readWorldOffset(): Command<number> {
  return (yield* first(sql`SELECT ahead FROM world`, (row) => integer(row, 'ahead'))) ?? integer({}, 'ahead');
}

export function* readBackupState(): Command<ResultOf<'readBackupState'>> {
  const value = (name: string) => sql`(SELECT value FROM revisions WHERE name = ${name})`;
  const state = yield* first(
    sql`
      SELECT ${value('backed_up_at')} AS backed_up_at, coalesce(${value('backup_alert')}, 0) AS alert_after,
        ${value('backup_alert_since')} AS alert_since, (SELECT min(created_at) FROM orders) AS first_order_at`,
    (row) => ({
      backedUpAt: integerOrNull(row, 'backed_up_at'),
      alertAfter: integer(row, 'alert_after'),
      alertSince: integerOrNull(row, 'alert_since'),
      firstOrderAt: integerOrNull(row, 'first_order_at'),
    }),
  );
  return state ?? { backedUpAt: null, alertAfter: 0, alertSince: null, firstOrderAt: null };
}

const setRevision = (name: string, value: number) => sql`
  INSERT INTO revisions (name, value) VALUES (${name}, ${value})
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

export function* noteBackup({
  at,
  operator,
  file,
}: Parameters<Store['noteBackup']>[0]): Command<ResultOf<'noteBackup'>> {
  const made = { at, operator, action: 'backup.made', subject: file, amount: null } as const;
  yield [setRevision('backed_up_at', at), ...insertActivities([made])];
  return done;
}

export function* saveBackupAlert(alertAfter: number, at: number): Command<Done> {
  yield* run(setRevision('backup_alert', alertAfter));
  if (alertAfter > 0)
    yield* run(
      sql`INSERT INTO revisions (name, value) VALUES ('backup_alert_since', ${at}) ON CONFLICT DO NOTHING`,
    );
  return done;
}

/** Reads the time of the last restore, which writes it into the copy that becomes the store. */
export const readRestoredAt = (): Command<number | null> =>
  first(sql`SELECT value FROM revisions WHERE name = 'restored_at'`, (row) => integer(row, 'value'));

export function* moveWorld(by: number): Command<number> {
  const moved = sql`UPDATE world SET ahead = ahead + ${by} RETURNING ahead`;
  return (yield* first(moved, (row) => integer(row, 'ahead'))) ?? integer({}, 'ahead');
}

export function* readRevision(): Command<number> {
  const [row = {}] = (yield* run(sql`SELECT value FROM revisions WHERE name = 'catalog_and_keys'`)).rows;
  return integer(row, 'value');
}

/** Announces a change to every process. Changes of the catalogue, a supplier's list and the keys also wait for each other at this row. */
export const growRevision = sql`UPDATE revisions SET value = value + 1 WHERE name = 'catalog_and_keys'`;

/** Announces a change, unless another change was made since the revision was read. */
export const growRevisionFrom = (revision: number) =>
  sql`UPDATE revisions SET value = value + 1 WHERE name = 'catalog_and_keys' AND value = ${revision}`;

export function* readRaisedAlerts(): Command<RaisedAlerts> {
  const raised = yield* first(sql`SELECT version, alerts FROM raised_alerts`, (row) => ({
    version: integer(row, 'version'),
    alerts: json<RaisedAlert[]>(row, 'alerts'),
  }));
  return raised ?? { version: integer({}, 'version'), alerts: [] };
}
