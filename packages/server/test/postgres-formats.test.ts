import type postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled, postgresAddress } from '../../../test/shared.ts';
import {
  inspectDatabase,
  openStore,
  readConfig,
  readDatabaseInfo,
  readDatabaseNames,
  startServer,
  upgradeStore,
  verifyStore,
} from '../src/internal.ts';
import { newestFormat } from '../src/postgres/migrate.ts';
import { restoreDatabase } from './formats/database-dump.ts';
import { type Format, formats, keptSaid, keptStore } from './formats/formats.ts';
import { pastActivity, pastActivityOf } from './formats/past-activity.ts';
import { comparable } from './formats/rows.ts';
import { ask, serveRecorded } from './formats/speak.ts';
import { liveParts } from './helpers/live-parts.ts';
import { connectTo } from './helpers/postgres.ts';
import { usePostgres } from './helpers/shared-postgres.ts';
import { runUpgrade } from './helpers/upgrade-kill.ts';

const program = await bundled(new URL('helpers/upgrade.ts', import.meta.url));
const database = usePostgres();
const databases = formats.filter(({ engine }) => engine === 'postgres');
const forms = databases.map((format) => [format.name, format] as const);

const formOf = (name: string): Format => {
  const format = databases.find((one) => one.name === name);
  if (!format) throw new Error(`no form ${name}`);
  return format;
};

/** The connection of the tests themselves: PostgreSQL starts a process for each. */
let connection: ReturnType<typeof connectTo>;
beforeAll(async () => {
  connection = connectTo(await postgresAddress());
});
afterAll(() => connection.end());

/** Works in the schema of a URL. */
async function withSql<Result>(url: string, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  await connection`SELECT set_config('search_path', ${new URL(url).searchParams.get('search_path')}, false)`;
  return await work(connection);
}

/** A database with a kept store. */
async function oldDatabase(format: Format) {
  const url = await database.newSchema();
  await withSql(url, (sql) => restoreDatabase(keptStore(format), sql));
  return { url, address: { kind: 'postgres', url } as const };
}

/** All rows of all tables; those of the format's own tables are compared by themselves. */
const rowsOf = (url: string): Promise<Record<string, Record<string, unknown>[]>> =>
  withSql(url, async (sql) => {
    const tables = await sql`
      SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_name <> 'topup_format' ORDER BY 1`;
    const rows: Record<string, Record<string, unknown>[]> = {};
    for (const { name } of tables)
      rows[name] = (await sql`SELECT row_to_json(one)::text AS row FROM ${sql(name)} one`)
        .map(({ row }) => String(row))
        .toSorted()
        .map((row) => JSON.parse(row));
    return rows;
  });

/** Columns, indexes, constraints, triggers and functions, as PostgreSQL says them. */
const schemaOf = (url: string): Promise<string[]> =>
  withSql(url, async (sql) => {
    const found = await sql`
      SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
        || ' ' || coalesce(collation_name, '') AS definition
        FROM information_schema.columns WHERE table_schema = current_schema()
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
      UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace
      UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger
        WHERE NOT tgisinternal AND tgrelid::regclass::text = 'orders'
      UNION ALL SELECT prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
      ORDER BY 1`;
    const schema = new URL(url).searchParams.get('search_path') ?? '';
    return found.map(({ definition }) => String(definition).replaceAll(`${schema}.`, ''));
  });

/** The tables of a database that the newest version made. */
let newSchema: string[];
beforeAll(async () => {
  const url = await database.newSchema();
  const store = openStore({ kind: 'postgres', url });
  await store.readMode();
  await store.close();
  newSchema = await schemaOf(url);
});

const versionOf = (url: string): Promise<unknown> =>
  withSql(url, async (sql) => (await sql`SELECT version FROM topup_format`)[0]?.version);

describe.each(forms)('a database of the format %s', (_, format) => {
  it('inspects a database of an older format unchanged, and upgrades all its rows to the newest tables', async () => {
    const { url, address } = await oldDatabase(format);
    expect(await readDatabaseInfo(url)).toMatchObject({
      ...{ formatVersion: format.version, mode: 'sandbox', orders: 6, keys: 2, games: 1, servers: [] },
    });
    expect(await versionOf(url)).toBe(format.version);
    const before = await rowsOf(url);

    expect(await upgradeStore(address)).toEqual({ from: format.version, to: newestFormat, copy: null });

    const rows = comparable(before, await rowsOf(url));
    expect(rows.before.orders).toHaveLength(6);
    expect(rows.after).toEqual(rows.before);
    expect(await schemaOf(url)).toEqual(newSchema);
    expect(await upgradeStore(address)).toBe(null);
  });

  it('serves all orders of an older database, and replays their bytes', async () => {
    const { url } = await oldDatabase(format);
    const said = keptSaid(format);

    await using server = await serveRecorded(url, said);
    const now = await ask(server.localUrl, said);

    expect(server.upgraded?.from).toBe(format.version);
    expect(now.orders).toEqual(said.orders);
    expect(now.replays).toEqual(said.placed.map(({ response }) => ({ response, isReplay: true })));
    expect({ placed: now.placed, revoked: now.revoked }).toEqual({ placed: 201, revoked: 401 });
    expect((await verifyStore({ kind: 'postgres', url })).differences).toEqual([]);
  });
});

it("shows operators' actions from before the upgrade", async () => {
  const { url, address } = await oldDatabase(formOf('postgres-16'));
  await withSql(url, (sql) => sql.unsafe(pastActivity));
  const [order] = await withSql(url, (sql) => sql`SELECT min(order_id) AS id FROM orders`);
  await upgradeStore(address);
  const store = openStore(address);
  const found = await store.listActivity({ limit: 9 });
  await store.close();
  expect(found.map(({ number: _number, ...activity }) => activity)).toEqual(pastActivityOf(order?.id));
});

it.each([
  [4, true],
  [29, true],
  [31, false],
])('creates no second order for keys of format 14, %i days after the first', async (days, isReplay) => {
  const format = formOf('postgres-14');
  const { url } = await oldDatabase(format);
  const said = keptSaid(format);
  await using server = await serveRecorded(url, said, days * 86_400_000);
  const { replays } = await ask(server.localUrl, said);
  const idOf = (response: string): unknown => JSON.parse(response).orderId;
  expect(replays.map(({ response }) => idOf(response))).toEqual(
    said.placed.map(({ response }) => idOf(response)),
  );
  expect(replays.map((replay) => replay.isReplay)).toEqual(said.placed.map(() => isReplay));
});

describe('an upgrade of a database', () => {
  it("doesn't upgrade a database in other commands, which name the upgrade command", async () => {
    const { url, address } = await oldDatabase(formOf('postgres-3'));
    const message = `has format 3 and needs an upgrade to format ${newestFormat}: topup db upgrade`;
    const store = openStore(address);
    for (const read of [() => store.readMode(), () => inspectDatabase(url), () => readDatabaseNames(url)])
      await expect(read()).rejects.toThrow(message);
    await store.close();
    expect(await versionOf(url)).toBe(3);
  });

  it("doesn't upgrade a database for a server of another mode, which rejects the store", async () => {
    const { url, address } = await oldDatabase(formOf('postgres-3'));
    const config = { TOPUP_MODE: 'live', TOPUP_STORE: url, PORT: '0', TOPUP_LOG_LEVEL: 'silent' };
    const message = "The store belongs to a sandbox server and can't serve live mode";
    await expect(startServer(readConfig(config), liveParts)).rejects.toThrow(message);
    await expect(upgradeStore(address, { mode: 'live' })).rejects.toThrow(message);
    expect(await versionOf(url)).toBe(3);
  });

  it('upgrades a database once if several servers start together', async () => {
    const { url, address } = await oldDatabase(formOf('postgres-1'));
    const upgrades = await Promise.all(Array.from({ length: 4 }, () => upgradeStore(address)));
    expect(upgrades.filter((upgrade) => upgrade !== null)).toHaveLength(1);
    expect(await versionOf(url)).toBe(newestFormat);
  });

  it('changes nothing if the last migration fails', async () => {
    const { url, address } = await oldDatabase(formOf('postgres-1a'));
    await withSql(url, (sql) => sql`CREATE TABLE store_identity (of_another_program TEXT)`);
    const [schema, rows] = [await schemaOf(url), await rowsOf(url)];
    await expect(upgradeStore(address)).rejects.toThrow('store_identity');
    expect([await schemaOf(url), await rowsOf(url)]).toEqual([schema, rows]);
    expect(await versionOf(url)).toBe(1);
  });

  it('changes nothing if an upgrade is killed, and completes the next upgrade', async () => {
    const { url, address } = await oldDatabase(formOf('postgres-3a'));
    const [schema, rows] = [await schemaOf(url), await rowsOf(url)];
    await using sql = connectTo(url);
    await sql.begin(async (held) => {
      await held`LOCK TABLE orders IN ACCESS SHARE MODE`;
      const waiting = () => held`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'orders'::regclass`;
      const { wasKilled } = await runUpgrade({ program }, url, {
        kill: async (child) => {
          await expect.poll(async () => (await waiting()).length, { timeout: 10_000 }).toBe(1);
          child.kill('SIGKILL');
        },
      });
      expect(wasKilled).toBe(true);
    });
    // What is left of the killed upgrade ends when it has got its lock.
    const heldLocks = (): Promise<number> =>
      withSql(url, async (sql) => {
        const locks = await sql`
          SELECT 1 FROM pg_locks WHERE relation = 'orders'::regclass AND mode = 'AccessExclusiveLock'`;
        return locks.length;
      });
    await expect.poll(heldLocks).toBe(0);

    expect([await schemaOf(url), await rowsOf(url)]).toEqual([schema, rows]);
    expect(await versionOf(url)).toBe(3);
    expect((await upgradeStore(address))?.from).toBe(3);
  });

  it.each(forms.filter(([, { about }]) => about !== ''))(
    'upgrades a database after an older version has begun to: %s',
    async (_, format) => {
      const { url, address } = await oldDatabase(format);
      // As a version of format 3 did.
      const later = formOf('postgres-3');
      const { tables } = JSON.parse(keptStore(later).toString());
      const steps = String(tables).split(/(?=CREATE TABLE claims|CREATE INDEX IF NOT EXISTS orders_open)/);
      await withSql(url, async (sql) => {
        for (const step of steps.slice(format.version)) await sql.unsafe(step);
        await sql`UPDATE topup_format SET version = 3`;
      });
      const before = await rowsOf(url);

      await upgradeStore(address);

      const rows = comparable(before, await rowsOf(url));
      expect(rows.after).toEqual(rows.before);
      expect(await schemaOf(url)).toEqual(newSchema);
    },
  );
});
