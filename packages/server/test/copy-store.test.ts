import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { another, change } from '../../suites/src/store/fixtures.ts';
import { ownTables } from '../src/copy/postgres-side.ts';
import { allTables } from '../src/copy/tables.ts';
import {
  type CopyError,
  copyStore,
  lockForServer,
  openStore,
  type StoreCopyOptions,
} from '../src/internal.ts';
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

/** Options that stop a copy after so many rows. */
function stoppedAfter(rows: number): StoreCopyOptions {
  const stop = new AbortController();
  return {
    signal: stop.signal,
    onProgress({ done }) {
      if (done >= rows) stop.abort(new Error('stopped'));
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
  it('copies everything to PostgreSQL and back', async () => {
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
    // A count of the orders reads one page of 8,192 bytes, not every version that a copied order left.
    expect(await sql`SELECT pg_relation_size('order_counts')::int AS bytes`).toEqual([{ bytes: 8_192 }]);
  }, 30_000);

  it('lets a server continue on the copy', async () => {
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

  it('lets no server use either store until the copy is complete, and continues a stopped copy', async () => {
    const { path, url, copy, back } = await twoStores(1_300);
    let refused: unknown;
    // Before and among the tables that are copied whole.
    for (const rows of [0, 9]) await expect(copy(stoppedAfter(rows))).rejects.toThrow('stopped');
    const options = stoppedAfter(1_900);
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
    expect(counted[0]).toBeGreaterThan(1_900);
    expect(tables.find(({ table }) => table === 'orders')?.rows).toBe(1_304);

    const returned = join(tempFolder(), 'back.db');
    for (const rows of [0, 9, 1_900])
      await expect(back(returned, stoppedAfter(rows))).rejects.toThrow('stopped');
    expect([existsSync(returned), existsSync(`${returned}.copying`)]).toEqual([false, true]);
    expect(await back(returned)).toEqual({ resumed: true, tables });
    expect(contentOf(returned)).toEqual(contentOf(path));
  }, 30_000);

  it('repeats a copy that was complete but stopped before it was renamed', async () => {
    const { path, copy, back } = await twoStores(3);
    await copy();
    const returned = join(tempFolder(), 'back.db');
    await filledFile(`${returned}.copying`, 7);
    expect((await back(returned)).resumed).toBe(false);
    expect(contentOf(returned)).toEqual(contentOf(path));
  });

  it('deletes a copy whose source changed meanwhile, and completes the next copy', async () => {
    const { path, url, copy, inDatabase } = await twoStores(1_200);
    // After the list of all orders and some of the orders, with the one that is changed.
    await expect(copy(stoppedAfter(1_800))).rejects.toThrow('stopped');
    const store = await openedStore(path);
    await store.changeOrder(change({ orderId: 'INV-1', serialNumber: 'later' }));
    expect(await problemOf(copy())).toBe('changed');
    const fresh = await database.newSchema();
    const empty = openStore(postgresAt(fresh));
    await empty.readMode();
    await empty.close();
    const countsOf = async (address: string) => {
      await using sql = connectTo(address);
      const counts: Record<string, unknown> = {};
      for (const { name } of allTables)
        counts[name] = (await sql`SELECT count(*)::int AS count FROM ${sql(name)}`)[0]?.count;
      return counts;
    };
    expect(await countsOf(url)).toEqual(await countsOf(fresh));
    await inDatabase(async (empty) => expect(await empty.readMode()).toBe(null));
    expect((await copy()).resumed).toBe(false);
    await inDatabase(async (copied) => expect((await copied.findOrder('INV-1'))?.serialNumber).toBe('later'));
  }, 30_000);

  it('rejects a target with data, and an unfinished copy of another store', async () => {
    const { url, path, copy, back } = await twoStores(700);
    await expect(copy(stoppedAfter(500))).rejects.toThrow('stopped');
    const other = join(tempFolder(), 'other.db');
    await filledFile(other, 1);
    const copyOther = (restart = false) => copyStore(file(other), postgresAt(url), { restart });
    expect(await problemOf(copyOther())).toBe('other_copy');
    expect(await problemOf(copyOther(true))).toBe('copied');
    expect(await problemOf(copy())).toBe('not_empty');
    expect(await problemOf(back(path))).toBe('not_empty');
    await expect(back(join(tempFolder(), 'a.db'), stoppedAfter(0))).rejects.toThrow('stopped');
    const keyed = await database.newSchema();
    const store = openStore(postgresAt(keyed));
    await store.saveDisplay({ currency: 'IDR', timezone: 'Asia/Jakarta' });
    await store.placeOrder({ order: another('A'), promo: null, response: null });
    await store.close();
    expect(await problemOf(copyStore(file(path), postgresAt(keyed)))).toBe('not_empty');
    const missing = copyStore(file(join(tempFolder(), 'none.db')), postgresAt(url));
    await expect(missing).rejects.toThrow(/^There is no file/);
  }, 30_000);

  it('rejects two simultaneous copies into one target', async () => {
    const { url, copy } = await twoStores(3);
    const other = join(tempFolder(), 'other.db');
    await filledFile(other, 1);
    const outcomes = [copy(), copyStore(file(other), postgresAt(url))].map(problemOf);
    const [copied, refused = ''] = (await Promise.all(outcomes)).toSorted();
    expect(copied).toBe('copied');
    expect(['in_use', 'not_empty', 'other_copy', 'unfinished']).toContain(refused);
  });

  it("leaves another schema's store unchanged when a copy is restarted", async () => {
    const { url, path } = await twoStores(3);
    const beside = await database.newSchema();
    await copyStore(file(path), postgresAt(beside));
    const schema = (address: string) => new URL(address).searchParams.get('search_path') ?? '';
    const both = new URL(url);
    both.searchParams.set('search_path', `${schema(url)},${schema(beside)}`);
    const copyToBoth = (options: StoreCopyOptions) => copyStore(file(path), postgresAt(both.href), options);
    await using sql = connectTo(url);
    const store = openStore(postgresAt(url));
    await store.readMode();
    await store.close();
    await expect(copyToBoth(stoppedAfter(0))).rejects.toThrow('stopped');
    await sql`DROP TABLE erasures`;
    await sql`UPDATE topup_format SET version = ${1 - newestFormat}`;
    expect(await problemOf(copyToBoth({ restart: true }))).toBe('copied');
    const other = openStore(postgresAt(beside));
    expect(await other.readMode()).toBe('live');
    await other.close();
    await using next = connectTo(beside);
    expect(await next`SELECT to_regclass('erasures') IS NOT NULL AS there`).toMatchObject([{ there: true }]);
  });

  it("rejects another version's unfinished copy, unless the operator starts the copy again", async () => {
    const { url, copy, back } = await twoStores(3);
    await expect(copy(stoppedAfter(0))).rejects.toThrow('stopped');
    const returned = join(tempFolder(), 'back.db');
    await using sql = connectTo(url);
    await sql`UPDATE topup_format SET version = ${-1 - newestFormat}`;
    await expect(copy()).rejects.toThrow(/was written by a newer version/);
    await sql`UPDATE topup_format SET version = ${1 - newestFormat}`;
    expect(await problemOf(copy())).toBe('other_copy');
    expect(await problemOf(copy({ restart: true }))).toBe('copied');
    await expect(back(returned, stoppedAfter(0))).rejects.toThrow('stopped');
    const unfinished = new DatabaseSync(`${returned}.copying`);
    unfinished.exec('PRAGMA user_version = 20');
    unfinished.close();
    expect(await problemOf(back(returned))).toBe('other_copy');
    expect(await problemOf(back(returned, { restart: true }))).toBe('copied');
  });
});

it('waits for the last step of a copy to PostgreSQL, however long it takes', async () => {
  const { url, copy, inDatabase } = await twoStores(3);
  await inDatabase((store) => store.readMode());
  await using blocking = connectTo(url);
  await using sql = connectTo(url);
  onTestFinished(() => void vi.useRealTimers());
  const isWaiting = async (): Promise<boolean> => {
    const locks = await sql`
      SELECT FROM pg_locks
      WHERE NOT granted AND relation = 'orders'::regclass AND mode = 'ShareUpdateExclusiveLock'`;
    return locks.length > 0;
  };
  // PostgreSQL samples the tables at the end. Only this waits for the lock.
  const copied = Promise.withResolvers<unknown>();
  await blocking.begin(async (transaction) => {
    await transaction`LOCK TABLE orders IN SHARE UPDATE EXCLUSIVE MODE`;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    copied.resolve(copy().catch((error: unknown) => error));
    while (!(await isWaiting()));
    await vi.advanceTimersByTimeAsync(10 * 60_000);
  });
  expect(await copied.promise).toMatchObject({ resumed: false });
});

describe('the tables that are copied', () => {
  /** The tables that each store fills by itself. A copy is another store, so that it has an identity of its own. */
  const own = ['order_counts', 'store_identity'];
  const columnsByTable = (rows: readonly { table: unknown; column: unknown }[]): Record<string, string[]> => {
    const columns: Record<string, string[]> = {};
    for (const { table, column } of rows)
      columns[String(table)] = [...(columns[String(table)] ?? []), String(column)].toSorted();
    return columns;
  };

  it('copies all tables of a file and of PostgreSQL, with the same columns except derived columns', async () => {
    const path = join(tempFolder(), 'shop.db');
    await (await openedStore(path)).close();
    using db = new DatabaseSync(path);
    const inFile = db
      .prepare(`
        SELECT tables.name AS "table", columns.name AS "column"
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`)
      .all()
      // Safe: the query names these columns.
      .map((row) => row as { table: unknown; column: unknown })
      .filter(
        ({ table, column }) => !own.includes(String(table)) && `${table}.${column}` !== 'orders.customer',
      );
    const url = await database.newSchema();
    const store = openStore(postgresAt(url));
    await store.readMode();
    await store.close();
    await using sql = connectTo(url);
    const inDatabase = await sql<{ table: string; column: string }[]>`
      SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
      WHERE table_schema = current_schema()
        AND NOT (column_name = 'sequence' OR (table_name = 'orders' AND column_name IN ('target_id', 'gateway')))`;
    const columns = columnsByTable(
      inDatabase.filter(({ table }) => !['topup_format', ...ownTables].includes(table)),
    );
    expect(columns).toEqual(columnsByTable(inFile));
    expect(allTables.map(({ name }) => name).toSorted()).toEqual(Object.keys(columns).toSorted());
    for (const { name, key } of allTables)
      expect([...(columns[name] ?? []), 'added'], name).toEqual(expect.arrayContaining([...key]));
  });
});
