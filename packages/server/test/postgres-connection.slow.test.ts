import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { relayedConnection } from './helpers/relayed-connection.ts';

let database: TestPostgres;
let url: string;
beforeAll(async () => {
  database = await startPostgres();
  url = await database.newSchema();
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

const connectTo = (maxSilenceMs?: number) => relayedConnection(url, maxSilenceMs);

describe('a connection to PostgreSQL', () => {
  it("doesn't send the rest of a cut connection's command on the new connection", async () => {
    await using to = await connectTo();
    const rest = Promise.withResolvers<unknown>();
    let runs = 0;
    await to.connection.write(async (sql) => {
      runs += 1;
      await sql`UPDATE counter SET value = value + 1`;
      if (runs > 1) return {};
      to.relay.cut();
      await wait(50);
      // As many as there are connections, so that the lost one is there again.
      await to.values(10);
      rest.resolve(await sql`UPDATE counter SET value = value + 10`.catch((error: unknown) => error));
      return {};
    });
    expect(await rest.promise).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect([runs, await to.value()]).toEqual([2, 1]);
  });

  it("returns a query's own result between the reset and the end of a connection", async () => {
    await using to = await connectTo();
    await to.values(10);
    setTimeout(() => to.relay.cut(), 50);
    const readTwice = () =>
      to.connection.read(async (sql) => {
        await sql`SELECT pg_sleep(0.2)`.catch(() => {});
        // At once, so that it gets one of the connections that are lost, but not closed yet.
        return sql`SELECT value FROM counter`;
      });
    const results = await Promise.all(Array.from({ length: 10 }, readTwice));
    expect(results.map((rows) => rows[0]?.value)).toEqual(Array(10).fill(0));
    expect(await to.values(20)).toEqual(Array(20).fill(0));
  });

  // A hundred statements are as many as the driver sends without a response. One of them begins the transaction.
  it.each([98, 99, 100, 101])(
    'begins a transaction on a connection that received %s reads before it',
    async (reads) => {
      await using to = await connectTo();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const holding = Array.from({ length: 10 }, () =>
        to.connection.write(async (sql) => {
          await sql`SELECT 1`;
          await released;
          return {};
        }),
      );
      await wait(100);
      const waiting = to.values(reads);
      await wait(50);
      const writing = to.increment();
      await wait(50);
      release();
      await Promise.all([...holding, waiting, writing]);
      expect(await to.value()).toBe(1);
    },
  );

  it('repeats reads whose connections were dropped between two queries', async () => {
    await using to = await connectTo(300);
    await to.value();
    to.relay.freeze();
    let runs = 0;
    const reading = to.connection.read(async (sql) => {
      runs += 1;
      if (runs === 1) await sql`SELECT 1`.catch(to.relay.thaw);
      return sql`SELECT value FROM counter`;
    });
    expect((await reading)[0]?.value).toBe(0);
    expect(runs).toBe(2);
  });

  it('drops a connection that stays silent while others respond, and repeats its query', async () => {
    await using to = await connectTo(300);
    await to.value();
    to.relay.freeze();
    const reading = to.value();
    await wait(20);
    to.relay.thaw();
    let isRead = false;
    const others = (async () => {
      while (!isRead) await Promise.all([to.value(), wait(20)]);
    })();
    expect(await reading).toBe(0);
    isRead = true;
    await others;
  });
});
