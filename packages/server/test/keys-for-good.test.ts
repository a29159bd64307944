import { join } from 'node:path';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createMemoryStore, type Store } from '@topup-kit/core/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createTestService,
  fixtureOrder,
  type TestServiceOptions,
} from '../../core/test/helpers/test-service.ts';
import { copyStore, openStore } from '../src/index.ts';
import { createPostgresStore } from '../src/postgres/index.ts';
import { backUpStore, createSqliteStore, restoreStore } from '../src/sqlite/index.ts';
import { connectTo } from './helpers/postgres.ts';
import { usePostgres } from './helpers/shared-postgres.ts';
import { tempFolder } from './helpers/store-file.ts';

const server = usePostgres();
const day = 86_400_000;

/** How a new, empty store of each kind is opened. */
const stores: [kind: string, open: () => Promise<Store>][] = [
  ['memory', async () => createMemoryStore()],
  ['a file', async () => createSqliteStore({ path: join(tempFolder(), 'topup.db') })],
  ['PostgreSQL', async () => createPostgresStore({ url: await server.newSchema() })],
];

/** A service over a store, whose clock the test moves. */
async function serve(store: Store, options: TestServiceOptions = {}) {
  const shop = await createTestService({ ...options, after: store });
  const body = { ...fixtureOrder, promo_code: undefined };
  const place = (key: string, changes: object = {}) =>
    shop.order({ ...body, ...changes }, { headers: { 'Idempotency-Key': key } });
  return {
    ...shop,
    place,
    find: async (key: string) => (await shop.get(`/orders?idempotency_key=${key}`)).json.data,
    async wait(days: number) {
      shop.clock.now += days * day;
      await shop.engine.dueWork.run();
    },
    countOrders: async () => (await store.countOrders()).reduce((sum, { count }) => sum + count, 0),
  };
}

/** The same over a new store with the sandbox's catalogue. */
async function newShop(open: () => Promise<Store>, options?: TestServiceOptions) {
  const store = await open();
  onTestFinished(() => store.close());
  await store.replaceCatalog(sandboxCatalog());
  return serve(store, options);
}

const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);

/** The response to a key whose order was placed more than 30 days ago. */
const usedFor = (orderId: string) => ({
  status: 409,
  json: { success: false, message: `Idempotency-Key ini sudah dipakai untuk pesanan ${orderId}.`, orderId },
});

const headerOf = ({ headers }: { headers: Headers }): (string | null)[] =>
  ['X-Error-Code', 'Idempotency-Order-Id', 'Idempotency-Replayed'].map((name) => headers.get(name));

describe.each(stores)('a service whose orders are in %s', (_kind, open) => {
  it('places no second order for any of 40 keys that are four days old', async () => {
    const { place, wait, countOrders } = await newShop(open);
    const first: string[] = [];
    for (const key of keys) first.push((await place(key)).text);
    await wait(4);
    const again: string[] = [];
    for (const key of keys) again.push((await place(key)).text);
    expect(again.filter((text, index) => text !== first[index])).toEqual([]);
    expect(await countOrders()).toBe(40);
  });

  it('replays the response for 30 days, byte for byte, even if the order changed', async () => {
    const { place, wait, sandbox } = await newShop(open);
    const first = await place('key');
    await sandbox.act(first.json.orderId, 'pay');
    await sandbox.act(first.json.orderId, 'deliver');
    await wait(29);
    const again = await place('key');
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(headerOf(again)).toEqual([null, null, 'true']);
  });

  it('names the order after the replay period, in the body and in a header, before and after it deletes the response', async () => {
    const { place, wait, clock, countOrders } = await newShop(open);
    const { orderId } = (await place('key')).json;
    clock.now += 30 * day;
    const before = await place('key');
    await wait(1);
    const after = await place('key');
    for (const response of [before, after]) {
      expect(response).toMatchObject(usedFor(orderId));
      expect(headerOf(response)).toEqual(['IDEMPOTENCY_KEY_USED', orderId, null]);
    }
    expect(await countOrders()).toBe(1);
  });

  it('rejects another payload with the same key permanently', async () => {
    const { place, wait } = await newShop(open);
    await place('key');
    for (const days of [1, 30, 369]) {
      await wait(days);
      const other = await place('key', { quantity: 3 });
      expect([other.status, ...headerOf(other)]).toEqual([409, 'IDEMPOTENCY_CONFLICT', null, null]);
      // What is no order at all is another payload, too.
      expect(headerOf(await place('key', { game: undefined }))[0]).toBe('IDEMPOTENCY_CONFLICT');
    }
  });

  it('finds the order of a key permanently', async () => {
    const { place, wait, find } = await newShop(open);
    const { orderId } = (await place('key')).json;
    await wait(400);
    expect(await find('key')).toMatchObject([{ order_id: orderId }]);
    expect(await find('another')).toEqual([]);
  });

  it('replays a response for the configured number of days', async () => {
    const { place, clock } = await newShop(open, { replayDays: 2 });
    const { orderId } = (await place('key')).json;
    clock.now += 2 * day - 1;
    expect((await place('key')).status).toBe(201);
    clock.now += 1;
    expect(await place('key')).toMatchObject(usedFor(orderId));
  });

  it('places no second order for a key whose response is being deleted', async () => {
    const { place, clock, engine, countOrders } = await newShop(open);
    const orderIds: string[] = [];
    for (const key of keys) orderIds.push((await place(key)).json.orderId);
    clock.now += 31 * day;
    const responses = await Promise.all(
      keys.flatMap((key, index) => [
        place(key),
        ...(index % 10 === 0 ? [engine.dueWork.run()] : []),
        place(key),
      ]),
    );
    const named = responses.flatMap((response) => (response ? [response.json.orderId] : []));
    expect(named).toEqual(orderIds.flatMap((orderId) => [orderId, orderId]));
    expect(await countOrders()).toBe(40);
  });
});

/** Places an order with each of two keys, 31 days and one day before the clock's time. */
async function twoKeys(store: Store) {
  await store.replaceCatalog(sandboxCatalog());
  const { place, wait, clock } = await serve(store);
  const old = await place('old');
  await wait(31);
  const recent = await place('recent');
  await wait(1);
  await store.close();
  return { old, recent, now: clock.now };
}

/** Sends both keys again to a service over another store. */
async function expectKnown(store: Store, { old, recent, now }: Awaited<ReturnType<typeof twoKeys>>) {
  onTestFinished(() => store.close());
  const { place, find } = await serve(store, { now });
  expect((await place('recent')).text).toBe(recent.text);
  expect(await place('old')).toMatchObject(usedFor(old.json.orderId));
  for (const [key, { orderId }] of [
    ['old', old.json],
    ['recent', recent.json],
  ] as const)
    expect(await find(key)).toMatchObject([{ order_id: orderId }]);
}

describe('a key next to a server of the previous version, which deletes expired responses', () => {
  /** Whether a key makes a second order after so many days. */
  async function isForgotten(replayDays: number, days: number): Promise<boolean> {
    const url = await server.newSchema();
    const { place, clock } = await newShop(async () => createPostgresStore({ url }), { replayDays });
    await using sql = connectTo(url);
    const { orderId } = (await place('key')).json;
    clock.now += days * day;
    await sql`DELETE FROM idempotent_responses WHERE expires_at <= ${clock.now} AND body IS NOT NULL`;
    return (await place('key')).json.orderId !== orderId;
  }

  it('keeps a key until TOPUP_REPLAY_DAYS have passed, next to a server of the previous version', async () => {
    expect(await isForgotten(30, 29)).toBe(false);
    expect(await isForgotten(2, 3)).toBe(true);
  });
});

describe('the keys of a store', () => {
  it('keeps the keys in a copy to PostgreSQL, and in a copy back to a file', async () => {
    const folder = tempFolder();
    const from = { kind: 'file', path: join(folder, 'topup.db') } as const;
    const database = { kind: 'postgres', url: await server.newSchema() } as const;
    const to = { kind: 'file', path: join(folder, 'copy.db') } as const;
    const first = openStore(from);
    await first.claimMode('sandbox');
    const sent = await twoKeys(first);
    await copyStore(from, database);
    await copyStore(database, to);
    await expectKnown(openStore(database), sent);
    await expectKnown(openStore(to), sent);
  });

  it('keeps the keys in a restored backup', async () => {
    const folder = tempFolder();
    const path = join(folder, 'topup.db');
    const backup = join(folder, 'backup.db');
    const first = createSqliteStore({ path });
    await first.claimMode('sandbox');
    const sent = await twoKeys(first);
    await backUpStore(path, backup);
    await restoreStore(backup, path);
    await expectKnown(createSqliteStore({ path }), sent);
  });
});
