import type { Store } from '@topup-kit/core/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { another, change, key, place, response, used } from '../../suites/src/store/fixtures.ts';
import { storeSuite } from '../../suites/src/store/index.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { connectTo } from './helpers/postgres.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const server = usePostgres();
let url: string;
let store: Store;

beforeAll(async () => {
  url = await server.newSchema();
  store = createPostgresStore({ url });
  // Creates the tables.
  await store.readMode();
}, 60_000);

afterAll(async () => {
  await store.close();
});

describe('the PostgreSQL store passes the tests of every store', () => {
  // A new store for each would take longer than all that they do.
  for (const { name, run } of storeSuite)
    it(name, async () => {
      await server.empty(url);
      await run(store);
    });
});

describe('the PostgreSQL store', () => {
  beforeEach(() => server.empty(url));

  it("stores U+FFFD for a NUL character, which PostgreSQL can't store", async () => {
    await store.placeOrder(place(another('A')));
    await store.changeOrder(change({ serialNumber: 'SN\0-1' }));
    expect((await store.findOrder(another('A').orderId))?.serialNumber).toBe('SN\uFFFD-1');
  });

  it('rejects a key that another server marks as used at the same moment', async () => {
    await store.placeOrder(place(another('A'), { response: response() }));
    await using sql = connectTo(url);
    await using watching = connectTo(url);
    const placed = await sql.begin(async (moving) => {
      await moving`DELETE FROM idempotent_responses`;
      await moving`INSERT INTO used_keys VALUES ('shop', 'key-1', ${another('A').orderId}, 'print-1')`;
      const placing = store.placeOrder(
        place(another('B'), { response: response({ orderId: another('B').orderId }) }),
      );
      // It waits for the row that was deleted, and not yet for good.
      await expect
        .poll(
          () => watching`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
          AND query LIKE '%INSERT INTO idempotent_responses%' AND datname = current_database()`,
        )
        .toHaveLength(1);
      return { placing };
    });
    expect(await placed.placing).toEqual({ conflict: 'idempotency_conflict', stored: used() });
    expect(await store.findOrder(another('B').orderId)).toBeNull();
    expect(await store.placeOrder(place(another('B')))).toEqual({ done: true });
  });

  it('closes once, and rejects later commands', async () => {
    const closed = createPostgresStore({ url });
    expect(await closed.readMode()).toBeNull();
    await Promise.all([closed.close(), closed.close()]);
    await expect(closed.readMode()).rejects.toMatchObject({ problem: 'closed', message: /was closed\.$/ });
    await expect(closed.claimMode('live')).rejects.toMatchObject({ problem: 'closed' });
  });

  it("notices this process's changes of keys immediately, and another process's changes within a second", async () => {
    const other = createPostgresStore({ url });
    const before = await store.revision();
    expect(await other.revision()).toBe(before);
    await store.createKey(key());
    expect(await store.revision()).toBe(before + 1);
    await expect.poll(() => other.revision(), { timeout: 1_000 }).toBe(before + 1);
    await other.close();
  });

  it('reports each commit, but no reads and no rollbacks', async () => {
    const commits: number[] = [];
    const counted = createPostgresStore({ url, onCommit: (commands) => commits.push(commands) });
    // Reads whether its tables are there.
    await counted.readMode();
    expect(commits).toEqual([]);
    await counted.placeOrder(place(another('A')));
    expect(commits).toEqual([1]);
    expect(await counted.placeOrder(place(another('A')))).toEqual({ conflict: 'order_id_taken' });
    expect(commits).toEqual([1]);
    await counted.close();
  });

  it.each([
    ['world', 'ahead', () => store.readWorldOffset()],
    ['world', 'ahead', () => store.moveWorld(1)],
    ['event_progress', 'position', () => store.readEventProgress()],
    ['raised_alerts', 'version', () => store.readRaisedAlerts()],
    ['last_change', 'position', () => store.lastPosition()],
  ])('reports itself damaged when the only row of %s is missing', async (table, column, work) => {
    await using sql = connectTo(url);
    const rows = await sql`DELETE FROM ${sql(table)} RETURNING *`;
    try {
      await expect(work()).rejects.toMatchObject({
        problem: 'damaged',
        message: expect.stringContaining(`column ${column} holds an unexpected undefined`),
      });
    } finally {
      await sql`INSERT INTO ${sql(table)} ${sql(rows)}`;
    }
  });
});
