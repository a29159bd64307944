import { readFile } from 'node:fs/promises';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../src/postgres/connection.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { firstTables } from '../src/postgres/migrations/001-first-tables.ts';
import { leases } from '../src/postgres/migrations/002-leases.ts';
import { explainPostgresError } from '../src/postgres/postgres-error.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const database = usePostgres();

/** The tables of a database, each with its columns. */
const columnsOf = async (sql: postgres.Sql): Promise<string[]> =>
  (
    await sql`
      SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS name
      FROM information_schema.columns WHERE table_schema = current_schema()`
  ).map(({ name }) => name);

it('a new database, whose table of the format has no row yet, is prepared once by servers that start at once', async () => {
  const url = await database.newSchema();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`CREATE TABLE topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)`;
  const stores = Array.from({ length: 4 }, () => createPostgresStore({ url }));
  expect(await Promise.all(stores.map((store) => store.readMode()))).toEqual(stores.map(() => null));
  expect(await sql`SELECT version FROM topup_format`).toMatchObject([{ version: 4 }]);
  await Promise.all([...stores.map((store) => store.close()), sql.end()]);
});

it('a new database is prepared although another server makes its first table at the same moment', async () => {
  const taken = Object.assign(new Error('type "topup_format" already exists'), { code: '42710' });
  const attempts: (() => Promise<never[]>)[] = [
    async () => [],
    () => Promise.reject(explainPostgresError(taken, 'the database')),
    async () => [],
  ];
  let migrated = 0;
  const connection = {
    read: () => attempts.shift()?.(),
    async write() {
      migrated += 1;
    },
  };
  // Safe: nothing of what the statements return is used.
  await migrate(connection as unknown as Connection, 'the database');
  expect({ left: attempts.length, migrated }).toEqual({ left: 0, migrated: 1 });
});

it('a name of the first table that something else keeps is an error', async () => {
  const url = await database.newSchema();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`CREATE TYPE topup_format AS ENUM ('a')`;
  const store = createPostgresStore({ url });
  await expect(store.readMode()).rejects.toThrow(/has tables of something else: type "topup_format"/);
  await Promise.all([store.close(), sql.end()]);
});

describe('a database of an earlier format', () => {
  it('is upgraded with what is in it, and keeps all that a server of that format reads and writes', async () => {
    const url = await database.newSchema();
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    await sql.unsafe(`
      CREATE TABLE topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);
      INSERT INTO topup_format VALUES (1, 1);
      ${firstTables}
      INSERT INTO mode VALUES (1, 'sandbox');`);
    const before = await columnsOf(sql);
    const store = createPostgresStore({ url });
    expect(await store.readMode()).toBe('sandbox');
    expect(await sql`SELECT version FROM topup_format`).toMatchObject([{ version: 4 }]);
    expect(await columnsOf(sql)).toEqual(expect.arrayContaining(before));
    await Promise.all([store.close(), sql.end()]);
  });

  it('may get its indexes before the upgrade, as the documentation says, and has the same ones afterwards', async () => {
    const text = await readFile(new URL('../../../docs/deployment.md', import.meta.url), 'utf8');
    const [, statements = ''] = /```sql\n(CREATE INDEX CONCURRENTLY .*?)```/s.exec(text) ?? [];
    const indexesAfter = async (prepare: (sql: postgres.Sql) => Promise<void>): Promise<string[]> => {
      const url = await database.newSchema();
      const sql = postgres(url, { max: 1, onnotice: () => {} });
      await sql.unsafe(`
        CREATE TABLE topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);
        INSERT INTO topup_format VALUES (1, 2); ${firstTables} ${leases}`);
      await prepare(sql);
      const store = createPostgresStore({ url });
      await store.readMode();
      const rows = await sql`
        SELECT replace(indexdef, current_schema() || '.', '') AS definition FROM pg_indexes
        WHERE schemaname = current_schema() ORDER BY 1`;
      await Promise.all([store.close(), sql.end()]);
      return rows.map(({ definition }) => String(definition));
    };
    const built = await indexesAfter(async (sql) => {
      for (const statement of statements.split(';').filter((one) => one.trim() !== ''))
        await sql.unsafe(statement);
      const [row] =
        await sql`SELECT count(*)::int AS indexes FROM pg_indexes WHERE indexname LIKE 'orders_done%'
        AND schemaname = current_schema()`;
      expect(row?.indexes).toBe(4);
    });
    expect(built).toEqual(await indexesAfter(async () => {}));
  });

  it('of a later version of the kit is left alone', async () => {
    const url = await database.newSchema();
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    const store = createPostgresStore({ url });
    await store.readMode();
    await store.close();
    await sql`UPDATE topup_format SET version = 1000`;
    const later = createPostgresStore({ url });
    await expect(later.readMode()).rejects.toThrow(
      /newer version of the kit \(format 1000, this one knows 4\)/,
    );
    await Promise.all([later.close(), sql.end()]);
  });
});
