import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import {
  copyStore,
  findServers,
  inspectDatabase,
  inspectStore,
  openStore,
  readCompletionNames,
  readDatabaseInfo,
  readDatabaseNames,
} from '../src/internal.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { newestFormat as newestOfDatabases } from '../src/postgres/migrate.ts';
import { firstTables } from '../src/postgres/migrations/001-first-tables.ts';
import { migrations } from '../src/sqlite/migrate.ts';
import { filledFile } from './helpers/filled-store.ts';
import { connectTo } from './helpers/postgres.ts';
import { startSandbox } from './helpers/sandbox.ts';
import { usePostgres } from './helpers/shared-postgres.ts';
import { tempFolder } from './helpers/store-file.ts';
import { addWebhook } from './helpers/webhook.ts';

const database = usePostgres();

const problem = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error & { problem?: string }) => error.problem ?? error.message,
  );

describe('an inspection of a database', () => {
  it('finds the same content and names in PostgreSQL as in a file', async () => {
    const path = join(tempFolder(), 'shop.db');
    await filledFile(path, 3);
    const file = openStore({ kind: 'file', path });
    await addWebhook(file);
    await file.close();
    const url = await database.newSchema();
    await copyStore({ kind: 'file', path }, { kind: 'postgres', url });
    const { formatVersion, newestFormat: newest, bytes, servers, ...found } = await inspectDatabase(url);
    const { pages, logBytes, server, alerts, ...inspected } = await inspectStore(path);
    // PostgreSQL keeps no NUL.
    const withoutNul = alerts.map((alert) => ({
      ...alert,
      sentence: alert.sentence.replace('\0', '\uFFFD'),
      ...(alert.reasons && { reasons: alert.reasons.map((reason) => reason.replace('\0', '\uFFFD')) }),
    }));
    const expected = { ...inspected, alerts: withoutNul };
    expect({ ...expected, ...found }).toEqual({
      ...expected,
      formatVersion: migrations.length,
      newestFormat: migrations.length,
      bytes: expected.bytes,
    });
    expect(found.alerts.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['money-without-an-order', 'stuck-orders']),
    );
    expect([formatVersion, newest, servers]).toEqual([newestOfDatabases, newestOfDatabases, []]);
    expect(bytes).toBeGreaterThan(100_000);
    const { catalog, ...names } = await readDatabaseNames(url);
    const { catalog: catalogOfFile, ...namesOfFile } = await readCompletionNames(path);
    expect(catalog).toMatchObject(catalogOfFile ?? {});
    expect(names).toEqual({
      ...namesOfFile,
      keys: namesOfFile.keys.map((key) => ({ ...key, about: key.about.replace('\0', '\uFFFD') })),
    });
  });

  it('finds running servers', async () => {
    const url = await database.newSchema();
    const server = await startSandbox({ TOPUP_STORE: url });
    const { servers, mode } = await inspectDatabase(url);
    expect([servers, mode]).toEqual([[expect.stringMatching(/^.+, 127\.0\.0\.1:\d+$/)], 'sandbox']);
    expect(servers).toEqual(await findServers(url));
    await server.close();
    expect(await findServers(url)).toEqual([]);
  });

  it('leaves out stopped servers, and records from before the clock was set back', async () => {
    const url = await database.newSchema();
    const store = createPostgresStore({ url });
    await store.readMode();
    await store.close();
    await using sql = connectTo(url);
    const now = Date.now();
    for (const [address, until] of [
      ['here', now + 10_000],
      ['gone', now - 1],
      ['of another time', now + 21 * 60_000],
      ['also here', now + 10_000],
    ] as const)
      await sql`INSERT INTO servers (server_id, address, seen_until) VALUES (${address}, ${address}, ${until})`;
    expect(await findServers(url)).toEqual(['also here', 'here']);
  });

  it('changes neither an empty database nor a database of an earlier format', async () => {
    const url = await database.newSchema();
    await using sql = connectTo(url);
    const tables = () => sql`SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`;
    expect(await problem(inspectDatabase(url))).toBe('not_a_store');
    expect(await tables()).toEqual([]);
    await sql.unsafe(`
      CREATE TABLE topup_format (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);
      INSERT INTO topup_format VALUES (1, 1);
      ${firstTables}`);
    const before = await tables();
    expect(await problem(inspectDatabase(url))).toBe('needs_upgrade');
    expect(await readDatabaseInfo(url)).toMatchObject({
      ...{ formatVersion: 1, newestFormat: newestOfDatabases, orders: 0, servers: [] },
    });
    expect(await tables()).toEqual(before);
  });

  it('explains why an inspection is impossible', async () => {
    const url = await database.newSchema();
    const store = openStore({ kind: 'postgres', url });
    await store.readMode();
    await store.close();
    await using sql = connectTo(url);
    await sql`UPDATE topup_format SET version = 1000`;
    expect(await problem(inspectDatabase(url))).toBe('newer_version');
    await sql`UPDATE topup_format SET version = -2`;
    expect(await problem(inspectDatabase(url))).toBe('unfinished');
    expect(await problem(readDatabaseNames(`postgres://127.0.0.1:${await freePort()}/x`))).toBe(
      'unreachable',
    );
  });
});
