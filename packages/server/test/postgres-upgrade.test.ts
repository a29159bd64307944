import { readFile } from 'node:fs/promises';
import type postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { order } from '../../suites/src/store/fixtures.ts';
import type { PostgresPool } from '../src/postgres/connection.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import {
  newestFormat,
  prepareTables,
  rejectOldFormat,
  rejectUnknownFormat,
} from '../src/postgres/migrate.ts';
import { firstTables } from '../src/postgres/migrations/001-first-tables.ts';
import { leases } from '../src/postgres/migrations/002-leases.ts';
import { orderLists } from '../src/postgres/migrations/003-order-lists.ts';
import { explainPostgresError, PostgresError } from '../src/postgres/postgres-error.ts';
import { upgradeDatabase } from '../src/postgres/upgrade-database.ts';
import { detailsText } from '../src/rows/orders.ts';
import { connectTo } from './helpers/postgres.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const database = usePostgres();
/** What an operator may run before an upgrade (docs/deployment.md). */
const beforeUpgrade = new URL('../../../examples/deployment/before-upgrade/', import.meta.url);

it('prepares a new database once for servers that start together, even if its format table has no row', async () => {
  const url = await database.newSchema();
  await using sql = connectTo(url);
  await sql`CREATE TABLE topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)`;
  const stores = Array.from({ length: 4 }, () => createPostgresStore({ url }));
  expect(await Promise.all(stores.map((store) => store.readMode()))).toEqual(stores.map(() => null));
  expect(await sql`SELECT version FROM topup_format`).toMatchObject([{ version: newestFormat }]);
  await Promise.all(stores.map((store) => store.close()));
});

it('prepares a new database although another server creates its first table at the same moment', async () => {
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
      return {};
    },
  };
  // Safe: the results of the statements are not used.
  await prepareTables(connection as unknown as PostgresPool, 'the database');
  expect({ left: attempts.length, migrated }).toEqual({ left: 0, migrated: 1 });
});

it("reports an error if another program has the first table's name", async () => {
  const url = await database.newSchema();
  await using sql = connectTo(url);
  await sql`CREATE TYPE topup_format AS ENUM ('a')`;
  const store = createPostgresStore({ url });
  await expect(store.readMode()).rejects.toThrow(/has another program's tables: type "topup_format"/);
  await store.close();
});

it.each([
  [newestFormat, 'none', 'none'],
  [newestFormat + 1, 'newer_version', 'none'],
  [-1, 'unfinished', 'needs_upgrade'],
  [newestFormat - 1, 'none', 'needs_upgrade'],
  [0, 'none', 'needs_upgrade'],
])('checks whether format %i is known: %s; new enough: %s', (version, unknown, old) => {
  const problemOf = (reject: typeof rejectUnknownFormat): unknown => {
    try {
      reject(version, 'the database');
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringMatching(/^the database (was|is|has) /) });
      return error instanceof PostgresError ? error.problem : error;
    }
    return 'none';
  };
  expect([problemOf(rejectUnknownFormat), problemOf(rejectOldFormat)]).toEqual([unknown, old]);
});

describe('a database of an earlier format', () => {
  it("finds a customer's orders from servers of an earlier format, even after the upgrade", async () => {
    const url = await database.newSchema();
    await using sql = connectTo(url);
    await sql.unsafe(`
      CREATE TABLE topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);
      INSERT INTO topup_format VALUES (1, 3); ${firstTables} ${leases} ${orderLists}`);
    const add = (id: string, nickname: string, whatsapp: string) => {
      const target = { ...order().target, nickname };
      const details = detailsText(order({ target, contact: { email: null, whatsapp } }));
      return sql`
        INSERT INTO orders (order_id, account_id, game_id, created_at, expires_at, reserved, version, payment_status, buy_status,
          payment_method_id, total_price, unique_code, payment_reference, target_id, details)
        VALUES (${id}, 'shop', 11, 1, 2, 0, 1, 'PAID', 'Sukses', 12, 44000, 0, ${`ref-${id}`}, '1', ${details})`;
    };
    await add('INV-1', 'before', '+62 (0)812-3456-7890');
    await add('INV-2', '"whatsapp":"0899"', '0062 812 3456 7890');
    await add('INV-3', 'an escaped \0 and \\', '0812-3456-7890\0');
    await add('INV-4', 'another', '+65 8123 4567');
    await upgradeDatabase(url);
    const store = createPostgresStore({ url });
    await add('INV-5', 'of an old server', '6281234567890');
    const orders = await store.listOrders({ customer: '6281234567890', limit: 10 });
    expect(orders.map(({ orderId }) => orderId)).toEqual(['INV-5', 'INV-3', 'INV-2', 'INV-1']);
    await store.close();
  });

  it('accepts indexes that an operator built before the upgrade, as documented', async () => {
    const statements = await readFile(new URL('order-lists.sql', beforeUpgrade), 'utf8');
    const indexesAfter = async (prepare: (sql: postgres.Sql) => Promise<void>): Promise<string[]> => {
      const url = await database.newSchema();
      await using sql = connectTo(url);
      await sql.unsafe(`
        CREATE TABLE topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);
        INSERT INTO topup_format VALUES (1, 2); ${firstTables} ${leases}`);
      await prepare(sql);
      await upgradeDatabase(url);
      const rows = await sql`
        SELECT replace(indexdef, current_schema() || '.', '') AS definition FROM pg_indexes
        WHERE schemaname = current_schema() ORDER BY 1`;
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

  it('accepts a customer index that an operator built before the upgrade, as documented', async () => {
    const statements = await readFile(new URL('customers.sql', beforeUpgrade), 'utf8');
    const [, definition = '', index = ''] =
      /^(CREATE FUNCTION .*\$\$;)\n(CREATE INDEX CONCURRENTLY .*)$/s.exec(statements) ?? [];
    const madeAfter = async (prepare: (sql: postgres.Sql) => Promise<unknown>): Promise<unknown[]> => {
      const url = await database.newSchema();
      await using sql = connectTo(url);
      await sql.unsafe(`
        CREATE TABLE topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);
        INSERT INTO topup_format VALUES (1, 3); ${firstTables} ${leases} ${orderLists}`);
      await prepare(sql);
      await upgradeDatabase(url);
      const rows = await sql`
        SELECT replace(indexdef, current_schema() || '.', '') AS index,
          replace(pg_get_functiondef('order_customer'::regproc), current_schema() || '.', '') AS function
        FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'orders_customer'`;
      return [...rows];
    };
    const made = await madeAfter(async () => {});
    expect(made).toHaveLength(1);
    const before = await madeAfter(async (sql) => {
      await sql.unsafe(definition);
      await sql.unsafe(index);
      expect(
        await sql`SELECT 1 FROM pg_indexes WHERE indexname = 'orders_customer' AND schemaname = current_schema()`,
      ).toHaveLength(1);
    });
    expect(before).toEqual(made);
  });

  it("leaves a later version's database unchanged", async () => {
    const url = await database.newSchema();
    await using sql = connectTo(url);
    const store = createPostgresStore({ url });
    await store.readMode();
    await store.close();
    await sql`UPDATE topup_format SET version = 1000`;
    const later = createPostgresStore({ url });
    await expect(later.readMode()).rejects.toThrow(
      `newer version of the kit (format 1000; this version supports up to ${newestFormat})`,
    );
    await later.close();
  });
});
