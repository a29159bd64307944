import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../src/postgres/connection.ts';
import { isLost } from '../src/postgres/postgres-error.ts';
import { change, first, run } from '../src/sql/command.ts';
import { sql } from '../src/sql/statement.ts';
import { startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { startTcpRelay } from './helpers/tcp-relay.ts';

let database: TestPostgres;
let url: string;
beforeAll(async () => {
  database = await startPostgres();
  url = await database.newSchema();
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

const grow = sql`UPDATE counter SET value = value + 1`;
const look = sql`SELECT value FROM counter`;

/** A connection through a relay to a database with a counter. */
async function connectTo(maxSilenceMs = 10_000) {
  const resources = new AsyncDisposableStack();
  const direct = new URL(url);
  const relay = resources.use(await startTcpRelay(Number(direct.port)));
  direct.port = String(relay.port);
  const changes: (string | null)[] = [];
  const connection = connect(direct.href, {
    prepare: async ({ read }) => {
      await read(() => run(sql`CREATE TABLE IF NOT EXISTS counter (value BIGINT)`));
      await read(() => run(sql`DELETE FROM counter`));
      await read(() => run(sql`INSERT INTO counter VALUES (0)`));
    },
    onChange: (failure) => changes.push(failure ? failure.problem : null),
    maxSilenceMs,
  });
  resources.defer(() => connection.close());
  const increment = () => connection.write(() => change(grow));
  const value = () => connection.read(() => first(look, (row) => row.value));
  const values = (count: number) => Promise.all(Array.from({ length: count }, value));
  return {
    relay,
    changes,
    connection,
    increment,
    value,
    values,
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

  it.each([
    ['before its last statement', 0],
    ['while its last statement runs', 50],
  ])('runs a command again whose connection was cut %s, and never twice', async (_when, ms) => {
    await using to = await connectTo();
    let runs = 0;
    await to.connection.write(function* () {
      runs += 1;
      yield* run(grow);
      if (runs === 1 && ms === 0) to.relay.cut();
      if (runs === 1 && ms > 0) setTimeout(to.relay.cut, ms);
      yield* run(sql`SELECT pg_sleep(0.2)`);
    });
    expect([runs, await to.value()]).toEqual([2, 1]);
  });

  it('commits nothing of a command that went on after its connection was cut', async () => {
    await using to = await connectTo();
    const errors: unknown[] = [];
    let runs = 0;
    await to.connection.write(function* () {
      runs += 1;
      yield* run(grow);
      if (runs > 1) return;
      to.relay.cut();
      for (let count = 0; count < 2; count += 1)
        try {
          yield* run(sql`UPDATE counter SET value = value + 10`);
        } catch (error) {
          errors.push(error);
        }
    });
    expect(errors.map(isLost)).toEqual([true, true]);
    expect([runs, await to.value()]).toEqual([2, 1]);
  });

  it('gives a query its own result that comes between the reset of a connection and its end', async () => {
    await using to = await connectTo();
    await to.values(10);
    setTimeout(() => to.relay.cut(), 50);
    const readTwice = () =>
      to.connection.read(function* () {
        try {
          yield* run(sql`SELECT pg_sleep(0.2)`);
        } catch {
          // At once, so that it may get a connection that is lost, but not closed yet.
        }
        return yield* first(look, (row) => row.value);
      });
    expect(await Promise.all(Array.from({ length: 10 }, readTwice))).toEqual(Array(10).fill(0));
    expect(await to.values(20)).toEqual(Array(20).fill(0));
  });

  it('gives a query its own result after one that failed in the middle of its rows', async () => {
    await using to = await connectTo();
    const divided = to.connection.read(() =>
      run(sql`SELECT 1 / (3 - value) FROM generate_series(1, 3) AS value`),
    );
    await expect(divided).rejects.toMatchObject({ code: '22012' });
    expect(await to.value()).toBe(0);
  });

  it('sends statements of a step together, and those after one that failed change nothing', async () => {
    await using to = await connectTo();
    const writing = to.connection.write(function* () {
      yield [grow, sql`SELECT 1 / (value - value) FROM counter`, grow];
    });
    await expect(writing).rejects.toMatchObject({ code: '22012' });
    expect(await to.value()).toBe(0);
    await to.increment();
    expect(await to.value()).toBe(1);
  });

  it('serves what waits until a connection is free', async () => {
    await using to = await connectTo();
    const holding = Array.from({ length: 10 }, () =>
      to.connection.write(() => run(sql`SELECT pg_sleep(0.3)`)),
    );
    await wait(100);
    const waiting = to.values(150);
    await to.increment();
    await Promise.all([...holding, waiting]);
    expect(await to.value()).toBe(1);
  });

  it('says that an outcome is not known when the connection is cut during the commit', async () => {
    await using to = await connectTo();
    const writing = to.connection.write(function* () {
      yield* run(grow);
      setImmediate(() => to.relay.cut());
    });
    await expect(writing).rejects.toMatchObject({ problem: 'outcome_unknown', retryAfter: null });
  });

  it('runs reads again whose connections were given up between two of their queries', async () => {
    await using to = await connectTo(300);
    await to.value();
    to.relay.freeze();
    let runs = 0;
    const reading = to.connection.read(function* () {
      runs += 1;
      try {
        if (runs === 1) yield* run(sql`SELECT 1`);
      } catch {
        // Its connection was given up.
      }
      return yield* first(look, (row) => row.value);
    });
    await wait(200);
    to.relay.thaw();
    expect(await reading).toBe(0);
    expect(runs).toBe(2);
  });

  it('gives up a connection that stays silent while others respond, and runs its query again', async () => {
    await using to = await connectTo(100);
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

  it('gives up connections that stay silent, and tells when the database can be reached again', async () => {
    await using to = await connectTo(300);
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
