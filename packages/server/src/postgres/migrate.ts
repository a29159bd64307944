import type { PostgresPool, Transaction } from './connection.ts';
import { firstTables } from './migrations/001-first-tables.ts';
import { leases } from './migrations/002-leases.ts';
import { orderLists } from './migrations/003-order-lists.ts';
import { supplierLists } from './migrations/004-supplier-lists.ts';
import { identity } from './migrations/005-identity.ts';
import { customersAndFunds } from './migrations/006-customers-and-funds.ts';
import { outsiders } from './migrations/007-outsiders.ts';
import { refunds } from './migrations/008-refunds.ts';
import { changes } from './migrations/009-changes.ts';
import { failureKinds } from './migrations/010-failure-kinds.ts';
import { shopsDay } from './migrations/011-shops-day.ts';
import { webhooks } from './migrations/012-webhooks.ts';
import { consoleTables } from './migrations/013-console.ts';
import { returnedFees } from './migrations/014-returned-fees.ts';
import { usedKeys } from './migrations/015-used-keys.ts';
import { erasures } from './migrations/016-erasures.ts';
import { activity } from './migrations/017-activity.ts';
import { codeOf, PostgresError } from './postgres-error.ts';
import { lastEditedFormat, repairEditedFormat } from './repair.ts';

/** The n-th migration brings a database to version n. A released migration never changes: a test compares its hash. */
export const migrations: readonly string[] = [
  firstTables,
  leases,
  orderLists,
  supplierLists,
  identity,
  customersAndFunds,
  outsiders,
  refunds,
  changes,
  failureKinds,
  shopsDay,
  webhooks,
  consoleTables,
  returnedFees,
  usedKeys,
  erasures,
  activity,
];

export const newestFormat = migrations.length;

/** Rejects a database of a newer version, and an unfinished copy, whose format number is negative (copy/postgres-side.ts). */
export function rejectUnknownFormat(version: number, name: string): void {
  if (version > newestFormat)
    throw new PostgresError(
      'newer_version',
      `${name} was written by a newer version of the kit (format ${version}; this version supports up to ${newestFormat}).`,
    );
  if (version < 0)
    throw new PostgresError(
      'unfinished',
      `${name} is an unfinished copy of another store. Run the same \`topup db copy\` again to continue it.`,
    );
}

/** Rejects a store of an older format, which only a server and `topup db upgrade` may change. */
export function rejectOldFormat(version: number, name: string): void {
  if (version < newestFormat)
    throw new PostgresError(
      'needs_upgrade',
      `${name} has format ${version} and needs an upgrade to format ${newestFormat}: topup db upgrade, with the same TOPUP_STORE or --store`,
    );
}

/** Reads the version of the tables; 0 without tables. */
export async function readFormat({ read }: Pick<PostgresPool, 'read'>): Promise<number> {
  const rows = await read((sql) => sql<{ version: number }[]>`SELECT version FROM topup_format`).catch(
    (error: unknown) => {
      if (codeOf(error) !== '42P01') throw error;
      return [];
    },
  );
  return rows[0]?.version ?? 0;
}

/** Tells whether another process created the table at the same moment, which PostgreSQL reports as a taken name in its own tables. */
const isRace = (error: unknown): boolean =>
  ['23505', '42P07', '42710'].includes(codeOf(error instanceof PostgresError ? error.cause : error));

/** Maximum number of attempts. A name that stays taken belongs to another program. */
const maxAttempts = 5;

async function prepareVersion({ read }: Pick<PostgresPool, 'read'>, attempt = 1): Promise<void> {
  await read(async (sql) => {
    await sql`CREATE TABLE IF NOT EXISTS topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)`;
    await sql`INSERT INTO topup_format (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING`;
  }).catch((error: unknown) => {
    if (attempt === maxAttempts || !isRace(error)) throw error;
    return prepareVersion({ read }, attempt + 1);
  });
}

/**
 * Brings a database to the newest format in one transaction. Several processes may call this in parallel: they wait for each other at the
 * version's row. `check` is called with the version found there. Resolves with that version.
 */
export async function migrate(
  { write }: Pick<PostgresPool, 'write'>,
  check: (version: number) => void,
): Promise<number> {
  const migrateAll = async (sql: Transaction): Promise<{ from: number }> => {
    // Has no time limit, because other servers may be migrating, and large tables take time.
    await sql`SET LOCAL statement_timeout = 0`;
    await sql`SET LOCAL lock_timeout = 0`;
    const [row] = await sql<{ version: number }[]>`SELECT version FROM topup_format FOR UPDATE`;
    const version = row?.version ?? 0;
    check(version);
    if (version > 0 && version <= lastEditedFormat) await repairEditedFormat(sql, version);
    for (const migration of migrations.slice(version)) await sql.unsafe(migration);
    await sql`UPDATE topup_format SET version = ${newestFormat}`;
    return { from: version };
  };
  return (await write(migrateAll, { isLong: true })).from;
}

/** Creates the tables of an empty database. Rejects a store of another format. */
export async function prepareTables(connection: PostgresPool, name: string): Promise<void> {
  const check = (version: number): void => {
    rejectUnknownFormat(version, name);
    if (version > 0) rejectOldFormat(version, name);
  };
  const found = await readFormat(connection);
  check(found);
  if (found === newestFormat) return;
  // Another process may have created the table, but not its only row, which is the lock.
  await prepareVersion(connection);
  await migrate(connection, check);
}
