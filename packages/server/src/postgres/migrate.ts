import type { Connection, Transaction } from './connection.ts';
import { firstTables } from './migrations/001-first-tables.ts';
import { leases } from './migrations/002-leases.ts';
import { orderLists } from './migrations/003-order-lists.ts';
import { refunds } from './migrations/005-refunds.ts';
import { codeOf, PostgresError } from './postgres-error.ts';

/** The n-th migration brings a database to version n. A released migration must never change. */
const migrations: readonly string[] = [firstTables, leases, orderLists, refunds];

export const newestFormat = migrations.length;

/**
 * Rejects a database of a newer version, and one that is being filled: the number of its format is negative until then, see
 * copy/postgres-side.ts.
 */
export function rejectUnknownFormat(version: number, name: string): void {
  if (version > newestFormat)
    throw new PostgresError(
      'newer_version',
      `${name} was written by a newer version of the kit (format ${version}, this one knows ${newestFormat}).`,
    );
  if (version < 0)
    throw new PostgresError(
      'unfinished',
      `${name} is an unfinished copy of another store: run the same \`topup db copy\` again, which continues it.`,
    );
}

/** Another process created the same table at the same moment; PostgreSQL reports that as a taken name in its own tables. */
const isRace = (error: unknown): boolean =>
  ['23505', '42P07', '42710'].includes(codeOf(error instanceof PostgresError ? error.cause : error));

/** A name that stays taken belongs to something else. */
const maxAttempts = 5;

async function prepareVersion({ read }: Pick<Connection, 'read'>, attempt = 1): Promise<void> {
  await read(async (sql) => {
    await sql`CREATE TABLE IF NOT EXISTS topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)`;
    await sql`INSERT INTO topup_format (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING`;
  }).catch((error: unknown) => {
    if (attempt === maxAttempts || !isRace(error)) throw error;
    return prepareVersion({ read }, attempt + 1);
  });
}

/**
 * Applies the missing migrations in one transaction. Several processes may do so at once: they wait for each other at the
 * row that holds the version.
 */
export async function migrate(connection: Connection, name: string): Promise<void> {
  const found = await connection
    .read((sql) => sql<{ version: number }[]>`SELECT version FROM topup_format`)
    .catch((error: unknown) => {
      if (codeOf(error) !== '42P01') throw error;
      return null;
    });
  if (found?.[0]?.version === newestFormat) return;
  rejectUnknownFormat(found?.[0]?.version ?? 0, name);
  // Another process may have made the table and not its row yet, which is the lock.
  if (!found?.[0]) await prepareVersion(connection);
  const migrateAll = async (sql: Transaction): Promise<object> => {
    // Others may be migrating, and large tables take their time.
    await sql`SET LOCAL statement_timeout = 0`;
    await sql`SET LOCAL lock_timeout = 0`;
    const [row] = await sql<{ version: number }[]>`SELECT version FROM topup_format FOR UPDATE`;
    const version = row?.version ?? 0;
    rejectUnknownFormat(version, name);
    for (const migration of migrations.slice(version)) await sql.unsafe(migration);
    await sql`UPDATE topup_format SET version = ${newestFormat}`;
    return {};
  };
  await connection.write(migrateAll, { isLong: true });
}
