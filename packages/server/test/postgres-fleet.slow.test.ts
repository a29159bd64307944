import { setTimeout as wait } from 'node:timers/promises';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../src/index.ts';
import { countStatuses, type Sent, send, sendPatiently } from './helpers/fleet.ts';
import { givenPostgres, startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { type ServerProcess, startServerProcess } from './helpers/server-process.ts';

let database: TestPostgres;
beforeAll(async () => {
  // An immediate stop must not lose what was committed.
  database = await startPostgres({ durable: true });
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

/** Runs tasks, at most `limit` at a time. */
async function atMost<Result>(limit: number, tasks: (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  const entries = tasks.entries();
  const work = async (): Promise<void> => {
    for (const [index, task] of entries) results[index] = await task();
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}

const orderIdOf = ({ body }: Sent): string => JSON.parse(body).data.order_id;

/** Two server processes on one new database. */
async function startTwo(environment: Record<string, string> = {}) {
  const url = await database.newSchema();
  const start = () => startServerProcess({ TOPUP_STORE: url, ...environment });
  const servers: [ServerProcess, ServerProcess] = [await start(), await start()];
  const store = openStore({ kind: 'postgres', url });
  return {
    start,
    servers,
    store,
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.end('SIGKILL');
      await store.close();
    },
  };
}

describe('two server processes on one PostgreSQL', () => {
  it('use a promo with a quota of 37 for exactly 37 of 500 concurrent orders', async () => {
    await using fleet = await startTwo();
    const [promo = expect.fail('no promo')] = sandboxCatalog('id').promos;
    await fleet.store.putPromo({ ...promo, code: 'LIMITED', quota: 37, per_customer: null });
    await wait(1_000);
    const sent = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        sendPatiently(fleet.servers[index % 2 ? 0 : 1].baseUrl, { promo_code: 'LIMITED' }),
      ),
    );
    expect(countStatuses(sent)).toEqual({ 201: 37, 422: 463 });
    expect((await fleet.store.countPromoUses('LIMITED', '')).total).toBe(37);
  }, 60_000);

  it('place one order for each of 200 keys that are sent 10 times each to both', async () => {
    await using fleet = await startTwo();
    const keys = Array.from({ length: 200 }, (_, index) => `key-${index}`);
    const tasks = Array.from({ length: 2_000 }, (_, index) => () => {
      // The same key at about the same time to both.
      const key = keys[Math.floor(index / 10)] ?? '';
      return sendPatiently(fleet.servers[index % 2 ? 0 : 1].baseUrl, {
        key,
        id: `1234${Math.floor(index / 10)}`,
      });
    });
    const sent = await atMost(100, tasks);
    expect(countStatuses(sent)).toEqual({ 201: 2_000 });
    const byKey = keys.map((_, key) => new Set(sent.slice(key * 10, key * 10 + 10).map((one) => one?.body)));
    expect(byKey.map(({ size }) => size)).toEqual(keys.map(() => 1));
    expect(new Set(sent.map((one) => one?.body)).size).toBe(200);
    expect((await fleet.store.countOrders()).reduce((sum, { count }) => sum + count, 0)).toBe(200);
  }, 60_000);

  it.skipIf(givenPostgres)(
    'lose no acknowledged order and deliver nothing twice, killed or without their database',
    async () => {
      await using fleet = await startTwo();
      const acknowledged = new Map<string, Sent>();
      const paid = new Set<string>();
      const seen: (Sent | null)[] = [];
      let isEnding = false;
      const client = async (name: number): Promise<void> => {
        for (let count = 0; !isEnding; count += 1) {
          const key = `client-${name}-${count}`;
          const { baseUrl } = fleet.servers[(name + count) % 2 ? 0 : 1];
          const one = await send(baseUrl, { key, id: '12345678', quantity: 2 });
          seen.push(one);
          if (one?.status !== 201) {
            await wait(20);
            continue;
          }
          acknowledged.set(key, one);
          if (count % 3 > 0) continue;
          const orderId = orderIdOf(one);
          const url = new URL(`/sandbox/orders/${orderId}/pay`, baseUrl);
          const response = await fetch(url, { method: 'POST' }).catch(() => null);
          if (response?.status === 200) paid.add(orderId);
          await response?.text();
        }
      };
      const clients = Array.from({ length: 8 }, (_, name) => client(name));
      for (let round = 0; round < 2; round += 1) {
        await wait(700);
        await fleet.servers[round % 2 ? 0 : 1].end('SIGKILL');
        await wait(300);
        fleet.servers[round % 2 ? 0 : 1] = await fleet.start();
        await wait(700);
        await database.crash();
        await wait(300);
        await database.restart();
      }
      await wait(700);
      isEnding = true;
      await Promise.all(clients);
      // Those that were not killed survived all of it.
      expect(fleet.servers.map(({ process }) => process.exitCode)).toEqual([null, null]);

      expect(acknowledged.size).toBeGreaterThan(100);
      expect(paid.size).toBeGreaterThan(20);
      // Besides acknowledged ones only: killed, no database, and commits of which nobody knows.
      expect(
        Object.keys(countStatuses(seen)).filter((status) => !['201', 'lost', '503', '500'].includes(status)),
      ).toEqual([]);
      // Every one of them replays, byte for byte, at either server.
      const [{ baseUrl }] = fleet.servers;
      await atMost(
        20,
        [...acknowledged].map(([key, { body }]) => async () => {
          expect(await sendPatiently(baseUrl, { key, id: '12345678', quantity: 2 })).toEqual({
            status: 201,
            body,
          });
        }),
      );
      for (const orderId of paid) {
        const history = async () => (await fleet.store.findHistory(orderId)).map(({ event }) => event);
        await expect.poll(history, { timeout: 20_000 }).toEqual(['paid', 'delivered']);
        const units = await fleet.store.findUnits(orderId);
        // Only first attempts, so nothing was bought twice.
        expect(units.map(({ state, attempt }) => [state, attempt])).toEqual([
          ['delivered', 1],
          ['delivered', 1],
        ]);
      }
      const counted = await fleet.store.countOrders();
      expect(counted.find(({ buyStatus }) => buyStatus === 'Sukses')?.count).toBeGreaterThanOrEqual(
        paid.size,
      );
    },
    90_000,
  );
});
