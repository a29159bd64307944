import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { OldVersion } from '../helpers/old-version.ts';

/** A store in PostgreSQL: the statements that made its tables, and their rows as JSON. */
interface Dump {
  tables: string;
  rows: Record<string, string[]>;
}

/** The statements that every version makes its table of the format with. */
const formatTable =
  'CREATE TABLE topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);';

/** The SQL in a migration's file. */
function statementsIn(file: string): string {
  const [, sql] = /= \/\* sql \*\/ `(.*)`;/s.exec(readFileSync(file, 'utf8')) ?? [];
  if (sql === undefined) throw new Error(`${file} has no statements.`);
  return sql.replaceAll(/\\([\\`$])/g, '$1');
}

/** Dumps the store that a version wrote into a schema. */
export async function dumpDatabase(url: string, { folder }: OldVersion): Promise<Uint8Array> {
  const migrations = join(folder, 'packages/server/src/postgres/migrations');
  const tables = [
    formatTable,
    ...readdirSync(migrations)
      .toSorted()
      .map((name) => statementsIn(join(migrations, name))),
  ];
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const names = await sql`
    SELECT relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relkind = 'r' ORDER BY relname`;
  const rows: Dump['rows'] = {};
  for (const { name } of names) {
    const found = await sql`SELECT row_to_json(found)::text AS row FROM ${sql(name)} found`;
    rows[name] = found.map(({ row }) => String(row));
  }
  await sql.end();
  return Buffer.from(JSON.stringify({ tables: tables.join('\n'), rows } satisfies Dump));
}

/** Writes a dumped store into the empty schema of a connection. */
export async function restoreDatabase(dump: Uint8Array, sql: postgres.Sql): Promise<void> {
  // Safe: `dumpDatabase` wrote it.
  const { tables, rows } = JSON.parse(Buffer.from(dump).toString()) as Dump;
  await sql.begin(async (transaction) => {
    await transaction.unsafe(tables);
    // The rows that the statements wrote, and those that triggers write, are among those that were dumped.
    await transaction`SET LOCAL session_replication_role = replica`;
    for (const [name, found] of Object.entries(rows)) {
      await transaction`DELETE FROM ${transaction(name)}`;
      await transaction`
        INSERT INTO ${transaction(name)} OVERRIDING SYSTEM VALUE
        SELECT * FROM json_populate_recordset(NULL::${transaction(name)}, ${`[${found}]`}::text::json)`;
    }
    // What counts by itself goes on after the rows, as in the database that was dumped.
    const counting = await transaction`
      SELECT table_name AS name, column_name AS counter FROM information_schema.columns
      WHERE table_schema = current_schema() AND is_identity = 'YES'`;
    for (const { name, counter } of counting)
      await transaction`
        SELECT setval(pg_get_serial_sequence(${name}, ${counter}), coalesce(max(${transaction(counter)}), 0) + 1, false)
        FROM ${transaction(name)}`;
  });
}
