import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConnectOptions, connect, displayName } from '../src/postgres/connection.ts';
import { connectTo as connectApart } from './helpers/postgres.ts';
import { relayedConnection } from './helpers/relayed-connection.ts';
import { usePostgres } from './helpers/shared-postgres.ts';

const database = usePostgres();
let url: string;
beforeAll(async () => {
  url = await database.newSchema();
}, 60_000);

const connectTo = (maxSilenceMs?: number) => relayedConnection(url, maxSilenceMs);

describe('a connection to PostgreSQL', () => {
  it('survives the loss of all unused connections', async () => {
    await using to = await connectTo();
    await to.increment();
    to.relay.cut();
    await to.increment();
    expect(await to.value()).toBe(2);
    expect(to.changes).toEqual([]);
  });

  // The driver notices that only with its next event, and writes to a connection that is there no more after it.
  it.each([0, 50])(
    'repeats a command whose connection was cut %s ms before its end, and never runs it twice',
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

  it('returns the right result after a query that failed within its rows', async () => {
    await using to = await connectTo();
    const divided = to.connection.read(
      (sql) => sql`SELECT 1 / (3 - value) FROM generate_series(1, 3) AS value`,
    );
    await expect(divided).rejects.toMatchObject({ code: '22012' });
    expect(await to.value()).toBe(0);
  });

  it('reports an unknown outcome when the connection is cut during the commit', async () => {
    await using to = await connectTo();
    const writing = to.connection.write(async (sql) => {
      await sql`UPDATE counter SET value = value + 1`;
      setImmediate(() => to.relay.cut());
      return {};
    });
    await expect(writing).rejects.toMatchObject({ problem: 'outcome_unknown', retryAfter: null });
  });

  it('drops silent connections, and reports when the database is reachable again', async () => {
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

const failure = (code: string): Error => Object.assign(new Error('why'), { code });

/** A connection without tables, with what its `onChange` was told. */
function opened(over: Partial<ConnectOptions> = {}) {
  const changes: (string | null)[] = [];
  const connection = connect(url, {
    prepare: async () => {},
    onChange: (error) => changes.push(error?.problem ?? null),
    ...over,
  });
  /** Runs work that fails with these codes, one after the other, and then succeeds; resolves with how often it ran. */
  async function runsThrough(codes: readonly string[], how: 'read' | 'write' = 'read') {
    let runs = 0;
    const work = async () => {
      const code = codes[runs];
      runs += 1;
      if (code !== undefined) throw failure(code);
      return {};
    };
    await (how === 'read' ? connection.read(work) : connection.write(work)).catch((error) => {
      throw Object.assign(error, { runs });
    });
    return runs;
  }
  return { connection, changes, runsThrough, [Symbol.asyncDispose]: () => connection.close() };
}

describe('work that fails', () => {
  // The pauses before it is tried again are random.
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    ['another transaction interfered', '40001', 7],
    ['there was a deadlock', '40P01', 7],
    ['its connection was lost', 'CONNECTION_CLOSED', 2],
    ['the database is not ready yet', '57P03', 2],
  ])('repeats work that failed because %s: %s up to %i times', async (_why, code, times) => {
    await using one = opened();
    for (const how of ['read', 'write'] as const)
      expect(await one.runsThrough(Array(times).fill(code), how)).toBe(times + 1);
    await expect(one.runsThrough(Array(times + 1).fill(code))).rejects.toMatchObject({
      problem: times === 7 ? 'busy' : 'unreachable',
      runs: times + 1,
    });
  });

  it.each([
    ['55P03', { problem: 'busy' }],
    ['53100', { problem: 'full' }],
    ['25006', { problem: 'read_only' }],
    ['22003', { code: '22003' }],
  ])("doesn't repeat work that failed with %s", async (code, error) => {
    await using one = opened();
    await expect(one.runsThrough([code])).rejects.toMatchObject({ ...error, runs: 1 });
  });

  it('reports once that the database is unreachable, and once that it is reachable again', async () => {
    await using one = opened();
    const lost = Array(3).fill('ECONNREFUSED');
    await one.runsThrough([]);
    await one.runsThrough(lost.slice(1));
    expect(one.changes).toEqual([]);
    for (let count = 0; count < 2; count += 1) await expect(one.runsThrough(lost)).rejects.toThrow();
    expect(one.changes).toEqual(['unreachable']);
    await expect(one.runsThrough(['53100'])).rejects.toThrow();
    expect(one.changes).toEqual(['unreachable']);
    for (let count = 0; count < 2; count += 1) await one.runsThrough([]);
    expect(one.changes).toEqual(['unreachable', null]);
  });

  it('reports nothing before the first connection', async () => {
    await using one = opened();
    await expect(one.runsThrough(Array(3).fill('ECONNREFUSED'))).rejects.toThrow();
    await one.runsThrough([]);
    expect(one.changes).toEqual([]);
  });
});

describe('a command', () => {
  it('stores nothing if a command throws or ends in a conflict, and returns the conflict', async () => {
    const onCommit = vi.fn();
    await using one = opened({ onCommit });
    const { read, write } = one.connection;
    await read((sql) => sql`DROP TABLE IF EXISTS kept`);
    await read((sql) => sql`CREATE TABLE kept (name TEXT)`);
    const add = (name: string, end: () => object) =>
      write(async (sql) => {
        await sql`INSERT INTO kept VALUES (${name})`;
        return end();
      });
    const cause = new Error('of the command');
    const fail = () => {
      throw cause;
    };
    await expect(add('thrown', fail)).rejects.toBe(cause);
    expect(await add('conflict', () => ({ conflict: 'taken' }))).toEqual({ conflict: 'taken' });
    expect(onCommit).not.toHaveBeenCalled();
    expect(await add('done', () => ({ done: true }))).toEqual({ done: true });
    expect(onCommit).toHaveBeenCalledOnce();
    expect(await read((sql) => sql`SELECT name FROM kept`)).toMatchObject([{ name: 'done' }]);
  });

  it('reads whole numbers and bytes as it wrote them', async () => {
    await using one = opened();
    const bytes = new Uint8Array([0, 1, 0x7f, 0xff]);
    const [row] = await one.connection.read(
      (sql) =>
        sql`SELECT ${9_007_199_254_740_991}::bigint AS sum, ${bytes}::bytea AS bytes, count(*) AS count`,
    );
    expect(row).toEqual({ sum: 9_007_199_254_740_991, bytes, count: 1 });
    expect(row?.bytes.constructor).toBe(Uint8Array);
  });

  it("sets the kit's limits on the server, under a name that operators can see", async () => {
    await using one = opened();
    const setting = async (name: string) =>
      (await one.connection.read((sql) => sql`SELECT current_setting(${name}) AS value`))[0]?.value;
    expect(await setting('application_name')).toBe('topup');
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    expect(await Promise.all(limits.map(setting))).toEqual(['10s', '2s', '10s']);
  });
});

describe('the preparation of a connection', () => {
  it('prepares a connection before the first command, once for simultaneous commands', async () => {
    const prepared: string[] = [];
    const prepare = async (_connection: unknown, name: string) => {
      await wait(20);
      prepared.push(name);
    };
    await using one = opened({ prepare });
    expect(prepared).toEqual([]);
    const seen = async () => prepared.length;
    expect(await Promise.all([one.connection.read(seen), one.connection.read(seen)])).toEqual([1, 1]);
    await one.connection.write(async () => ({}));
    expect(prepared).toEqual([displayName(url)]);
  });

  it('fails the command with the error of its preparation, and repeats the preparation before the next command', async () => {
    let count = 0;
    const prepare = async () => {
      count += 1;
      if (count === 1) throw new Error('not yet');
    };
    await using one = opened({ prepare });
    await expect(one.runsThrough([])).rejects.toThrow('not yet');
    expect(await one.runsThrough([])).toBe(1);
    expect(count).toBe(2);
  });
});

it('rejects commands on a closed connection, even if it was never used', async () => {
  for (const isUsed of [true, false]) {
    const { connection } = opened();
    if (isUsed) await connection.read((sql) => sql`SELECT 1`);
    await connection.close();
    await connection.close();
    const closed = { problem: 'closed', message: `${displayName(url)} was closed.` };
    await expect(connection.read((sql) => sql`SELECT 1`)).rejects.toMatchObject(closed);
    await expect(connection.write(async () => ({}))).rejects.toMatchObject(closed);
  }
});

it.each([
  ['postgres://topup:secret@db.example:5433/shop?search_path=topup', 'PostgreSQL at db.example:5433/shop'],
  ['postgres://db.example/shop', 'PostgreSQL at db.example/shop'],
  ['postgres:///shop', 'PostgreSQL at localhost/shop'],
])('shows %s without its password: %s', (address, name) => {
  expect(displayName(address)).toBe(name);
});

describe('work that takes long', () => {
  it("doesn't repeat work after two seconds, even after few attempts", async () => {
    await using one = opened();
    let now = 0;
    using clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    let runs = 0;
    const failing = one.connection.read(async () => {
      runs += 1;
      now += 1_500;
      throw failure('40001');
    });
    await expect(failing).rejects.toMatchObject({ problem: 'busy' });
    expect(runs).toBe(2);
    expect(clock).toHaveBeenCalled();
  });

  describe('by a clock that the test sets', () => {
    // A busy machine takes longer for a connection than the database may be silent here.
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
    afterEach(() => void vi.useRealTimers());
    const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

    it.each([
      ['is repeated if the database does not respond', false, 2],
      ['is run once if it has no time limit', true, 1],
    ])('a command %s', async (_what, isLong, expected) => {
      await using one = opened({ maxSilenceMs: 100 });
      await using other = connectApart(url);
      await one.connection.read((sql) => sql`SELECT 1`);
      let runs = 0;
      await one.connection.write(
        async (sql) => {
          runs += 1;
          if (runs > 1) return {};
          const [self] = await sql`SELECT pg_backend_pid() AS pid`;
          const isAsleep = async (): Promise<boolean> => {
            const found = await other`
              SELECT 1 FROM pg_stat_activity WHERE pid = ${self?.pid} AND wait_event = 'PgSleep'`;
            return found.length > 0;
          };
          let isOver = false;
          const sleep = async (): Promise<void> => {
            await sql`SELECT pg_sleep(1)`.finally(() => {
              isOver = true;
            });
          };
          const passWhileAsleep = async (): Promise<void> => {
            while (!isOver && !(await isAsleep()));
            await pass(100);
          };
          await Promise.all([sleep(), passWhileAsleep()]);
          return {};
        },
        { isLong },
      );
      expect(runs).toBe(expected);
    });

    it('repeats a command after four times the usual time if only this command has no response', async () => {
      await using one = opened({ maxSilenceMs: 100 });
      const readOther = () => one.connection.read((sql) => sql`SELECT 1`);
      await readOther();
      let runs = 0;
      const begun = Promise.withResolvers<void>();
      const reading = one.connection.read(async (sql) => {
        runs += 1;
        begun.resolve();
        if (runs === 1) await sql`SELECT pg_sleep(2)`;
      });
      await begun.promise;
      for (let ms = 0; ms < 400; ms += 50) {
        await readOther();
        expect(runs).toBe(1);
        await pass(50);
      }
      await reading;
      expect(runs).toBe(2);
    });
  });
});
