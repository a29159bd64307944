import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { another, change } from '../../suites/src/store/fixtures.ts';
import { allTables } from '../src/copy/tables.ts';
import { type CopyError, copyStore, lockForServer, openStore, type StoreCopyOptions } from '../src/index.ts';
import { newestFormat } from '../src/postgres/migrate.ts';
import { contentOf, filledFile } from './helpers/filled-store.ts';
import { postOrder } from './helpers/orders.ts';
import { connectTo } from './helpers/postgres.ts';
import { startSandbox } from './helpers/sandbox.ts';
import { usePostgres } from './helpers/shared-postgres.ts';
import { openedStore, placeOrders, tempFolder } from './helpers/store-file.ts';

const database = usePostgres();

const file = (path: string) => ({ kind: 'file', path }) as const;
const postgresAt = (url: string) => ({ kind: 'postgres', url }) as const;

/** A store file, and a database for its copy. */
async function twoStores(orders: number) {
  const path = join(tempFolder(), 'shop.db');
  await filledFile(path, orders);
  const url = await database.newSchema();
  return {
    path,
    url,
    copy: (options?: StoreCopyOptions) => copyStore(file(path), postgresAt(url), options),
    back: (to: string, options?: StoreCopyOptions) => copyStore(postgresAt(url), file(to), options),
    async inDatabase<Result>(
      work: (store: ReturnType<typeof openStore>) => Promise<Result>,
    ): Promise<Result> {
      const store = openStore(postgresAt(url));
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** Options that stop a copy after so many reports of its progress. */
function stoppedAfter(reports: number): StoreCopyOptions {
  const stop = new AbortController();
  let count = 0;
  return {
    signal: stop.signal,
    onProgress() {
      count += 1;
      if (count === reports) stop.abort(new Error('stopped'));
    },
  };
}

const problemOf = (copying: Promise<unknown>): Promise<string> =>
  copying.then(
    () => 'copied',
    (error: CopyError) => error.problem ?? error.message,
  );

/** The phone number of all orders, in its normal form. */
const customer = '6281234567890';

describe('a copy of a store', () => {
  it('to PostgreSQL and back has everything that was in it', async () => {
    const { path, url, copy, back, inDatabase } = await twoStores(1_203);
    const { tables, resumed } = await copy();
    expect(resumed).toBe(false);
    expect(tables.find(({ table }) => table === 'orders')).toMatchObject({ rows: 1_207 });
    await inDatabase(async (store) => {
      expect(await store.readMode()).toBe('live');
      expect((await store.listKeys()).map(({ keyId }) => keyId)).toEqual([
        'key_z',
        'key_a',
        'key_m',
        'key_next',
      ]);
      const counts = await store.countOrders();
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(1_206);
      expect(await store.listOrders({ customer, limit: 5_000 })).toHaveLength(1_206);
      expect(await store.findOrdersOfTarget('9\uFFFD', 0)).toHaveLength(1);
      expect((await store.countOpenWork()).payments).toEqual(new Map([['bank', 1_204]]));
    });
    const returned = join(tempFolder(), 'back.db');
    const { tables: again } = await back(returned);
    expect(again).toEqual(tables);
    expect(contentOf(returned)).toEqual(contentOf(path));
    // It is a store like any other: nothing of the copy is left.
    const store = await openedStore(returned);
    expect(await store.listOrders({ customer, limit: 5_000 })).toHaveLength(1_206);
    await placeOrders(store, 5_000, 5_001);
    expect(existsSync(`${returned}.copying`)).toBe(false);
    await using sql = connectTo(url);
    expect(await sql`SELECT version FROM topup_format`).toMatchObject([{ version: newestFormat }]);
    // PostgreSQL knows how many rows there are, and plans for them from the first order on.
    expect(await sql`SELECT reltuples FROM pg_class WHERE oid = 'orders'::regclass`).toMatchObject([
      { reltuples: 1_207 },
    ]);
  }, 30_000);

  it('is what a server goes on with', async () => {
    const path = join(tempFolder(), 'sandbox.db');
    const url = await database.newSchema();
    const place = (server: { baseUrl: string; sandboxKey: string | null }) =>
      postOrder(server.baseUrl, {}, { 'Idempotency-Key': 'moved' }).then((response) => response.text());
    const before = await startSandbox({ TOPUP_STORE: `file:${path}` });
    const body = await place(before);
    expect(await problemOf(copyStore(file(path), postgresAt(url)))).toBe('served');
    await before.close();
    await copyStore(file(path), postgresAt(url));
    const copied = openStore(postgresAt(url));
    expect(await copied.readDefaults()).toBe(1);
    await copied.close();
    const after = await startSandbox({ TOPUP_STORE: url });
    expect(after.seeded).toBe(false);
    expect(await place(after)).toBe(body);
    expect(await problemOf(copyStore(postgresAt(url), file(`${path}.back`)))).toBe('served');
    await after.close();
    expect(await problemOf(copyStore(postgresAt(url), file(`${path}.back`)))).toBe('copied');
  }, 20_000);

  it('keeps servers away from both until it is complete, and is continued when it was stopped', async () => {
    const { path, url, copy, back } = await twoStores(2_600);
    let refused: unknown;
    const options = stoppedAfter(4);
    const stopped = copy({
      ...options,
      onProgress(progress) {
        try {
          refused ??= lockForServer(path, { pid: 1 });
        } catch (error) {
          refused = error;
        }
        options.onProgress?.(progress);
      },
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(String(refused)).toMatch(/Another server \(pid \d+, copying a store\) already serves/);
    await expect(startSandbox({ TOPUP_STORE: url })).rejects.toThrow(
      /is an unfinished copy of another store/,
    );
    const counted: number[] = [];
    const { resumed, tables } = await copy({
      onProgress: ({ step, done }) => void (step === 'copying' && counted.push(done)),
    });
    expect(resumed).toBe(true);
    expect(counted[0]).toBeGreaterThan(500);
    expect(tables.find(({ table }) => table === 'orders')?.rows).toBe(2_604);

    const returned = join(tempFolder(), 'back.db');
    await expect(back(returned, stoppedAfter(4))).rejects.toThrow('stopped');
    expect([existsSync(returned), existsSync(`${returned}.copying`)]).toEqual([false, true]);
    expect(await back(returned)).toEqual({ resumed: true, tables });
    expect(contentOf(returned)).toEqual(contentOf(path));
  }, 30_000);

  it('that was complete, but stopped before it got its name, is made anew', async () => {
    const { path, copy, back } = await twoStores(3);
    await copy();
    const returned = join(tempFolder(), 'back.db');
    await filledFile(`${returned}.copying`, 7);
    expect((await back(returned)).resumed).toBe(false);
    expect(contentOf(returned)).toEqual(contentOf(path));
  });

  it('of which the original changed meanwhile is deleted, and the next one is good', async () => {
    const { path, copy, inDatabase } = await twoStores(1_200);
    await expect(copy(stoppedAfter(3))).rejects.toThrow('stopped');
    const store = await openedStore(path);
    // It was copied already.
    await store.changeOrder(change({ orderId: 'INV-1', serialNumber: 'later' }));
    expect(await problemOf(copy())).toBe('changed');
    await inDatabase(async (empty) => expect(await empty.readMode()).toBe(null));
    expect((await copy()).resumed).toBe(false);
    await inDatabase(async (copied) => expect((await copied.findOrder('INV-1'))?.serialNumber).toBe('later'));
  }, 30_000);

  it('is not made into a store that has data, and not continued from another one', async () => {
    const { url, path, copy, back } = await twoStores(700);
    await expect(copy(stoppedAfter(2))).rejects.toThrow('stopped');
    const other = join(tempFolder(), 'other.db');
    await filledFile(other, 1);
    const copyOther = (restart = false) => copyStore(file(other), postgresAt(url), { restart });
    expect(await problemOf(copyOther())).toBe('other_copy');
    expect(await problemOf(copyOther(true))).toBe('copied');
    expect(await problemOf(copy())).toBe('not_empty');
    expect(await problemOf(back(path))).toBe('not_empty');
    await expect(back(join(tempFolder(), 'a.db'), stoppedAfter(1))).rejects.toThrow('stopped');
    const keyed = await database.newSchema();
    const store = openStore(postgresAt(keyed));
    await store.saveDisplay({ currency: 'IDR', timezone: 'Asia/Jakarta' });
    await store.placeOrder({ order: another('A'), promo: null, response: null });
    await store.close();
    expect(await problemOf(copyStore(file(path), postgresAt(keyed)))).toBe('not_empty');
    const missing = copyStore(file(join(tempFolder(), 'none.db')), postgresAt(url));
    await expect(missing).rejects.toThrow(/^There is no file/);
  }, 30_000);
});

describe('the tables that are copied', () => {
  const copied = Object.fromEntries(allTables.map(({ name, columns }) => [name, columns.toSorted()]));
  /** What each store counts and notes by itself. A copy is another store, so that it has an identity of its own. */
  const own = ['revisions', 'order_counts', 'store_identity'];

  it('are all of a file, with all of their columns besides what it derives', async () => {
    const path = join(tempFolder(), 'shop.db');
    await (await openedStore(path)).close();
    using db = new DatabaseSync(path);
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const columns = Object.fromEntries(
      tables.flatMap(({ name }) => {
        if (own.includes(String(name))) return [];
        const found = db
          .prepare(`PRAGMA table_info(${name})`)
          .all()
          .map((column) => String(column.name));
        const stored = found.filter((column) => !(name === 'orders' && column === 'customer'));
        return [[String(name), stored.toSorted()]];
      }),
    );
    expect(copied).toEqual(columns);
  });

  it('are all of PostgreSQL, besides what it derives, and what is of its servers', async () => {
    const url = await database.newSchema();
    const store = openStore(postgresAt(url));
    await store.readMode();
    await store.close();
    await using sql = connectTo(url);
    const rows = await sql`
      SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = current_schema()
        AND table_name NOT IN ('revisions', 'order_counts', 'store_identity', 'topup_format', 'claims', 'servers', 'supplier_balance')
        AND NOT (column_name = 'sequence' OR (table_name = 'orders' AND column_name IN ('target_id', 'gateway')))
      ORDER BY table_name, column_name COLLATE "C"`;
    const columns: Record<string, string[]> = {};
    for (const { table_name: name, column_name: column } of rows)
      columns[name] = [...(columns[name] ?? []), column];
    expect(copied).toEqual(columns);
  });
});
