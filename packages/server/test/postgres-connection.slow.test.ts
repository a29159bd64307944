import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../src/postgres/connection.ts';
import { startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { startTcpRelay } from './helpers/tcp-relay.ts';

let database: TestPostgres;
let url: string;
beforeAll(async () => {
  database = await startPostgres();
  url = await database.newSchema();
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

/** A connection through a relay to a database with a counter. */
async function connectTo() {
  const resources = new AsyncDisposableStack();
  const direct = new URL(url);
  const relay = resources.use(await startTcpRelay(Number(direct.port)));
  direct.port = String(relay.port);
  const changes: (string | null)[] = [];
  const connection = connect(direct.href, {
    prepare: async ({ read }) => {
      await read((sql) => sql`CREATE TABLE IF NOT EXISTS counter (value BIGINT)`);
      await read((sql) => sql`DELETE FROM counter`);
      await read((sql) => sql`INSERT INTO counter VALUES (0)`);
    },
    onChange: (failure) => changes.push(failure ? failure.problem : null),
    maxSilenceMs: 300,
  });
  resources.defer(() => connection.close());
  const increment = () =>
    connection.write(async (sql) => {
      await sql`UPDATE counter SET value = value + 1`;
      return {};
    });
  const value = async () => (await connection.read((sql) => sql`SELECT value FROM counter`))[0]?.value;
  return {
    relay,
    changes,
    connection,
    increment,
    value,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

describe('a connection to PostgreSQL', () => {
  it('survives that all its connections are cut while nobody uses them', async () => {
    await using to = await connectTo();
    await to.increment();
    to.relay.cut();
    await to.increment();
    expect(await to.value()).toBe(2);
    expect(to.changes).toEqual([]);
  });

  // The driver notices that only with its next event, and writes to a connection that is there no more after it.
  it.each([0, 50])(
    'runs a command again whose connection was cut %s ms before its end, and never twice',
    async (ms) => {
      await using to = await connectTo();
      let runs = 0;
      await to.connection.write(async (sql) => {
        runs += 1;
        await sql`UPDATE counter SET value = value + 1`;
        if (runs === 1) to.relay.cut();
        if (runs === 1 && ms > 0) await wait(ms);
        await sql`SELECT 1`;
        return {};
      });
      expect([runs, await to.value()]).toEqual([2, 1]);
    },
  );

  it('says that an outcome is not known when the connection is cut during the commit', async () => {
    await using to = await connectTo();
    const writing = to.connection.write(async (sql) => {
      await sql`UPDATE counter SET value = value + 1`;
      setImmediate(() => to.relay.cut());
      return {};
    });
    await expect(writing).rejects.toMatchObject({ problem: 'outcome_unknown', retryAfter: null });
  });

  it('gives up connections that stay silent, and tells when the database can be reached again', async () => {
    await using to = await connectTo();
    await to.increment();
    to.relay.freeze();
    await expect(to.increment()).rejects.toMatchObject({ problem: 'unreachable', retryAfter: 2 });
    expect(to.changes).toEqual(['unreachable']);
    to.relay.thaw();
    await to.increment();
    expect(await to.value()).toBe(2);
    expect(to.changes).toEqual(['unreachable', null]);
  });
});
