import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '@topup-kit/core/store';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { another, change, key, order, place, response } from '../../suites/src/store/fixtures.ts';
import { isConflict } from '../src/sql/statement.ts';
import {
  createGroupCommit,
  type GroupCommitOptions,
  prepareTransaction,
} from '../src/sqlite/group-commit.ts';
import type { StoreFileError } from '../src/sqlite/index.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';
import { openDatabase } from '../src/sqlite/open-database.ts';
import { storeOver } from '../src/sqlite/sqlite-store.ts';
import { tempFile } from './helpers/store-file.ts';

const ok = { done: true };
const letters = [...'ABCDEFGHIJ'];

function open(path: string, onChange: (failure: StoreFileError | null) => void = () => {}): Store {
  const store = createSqliteStore({ path, onChange });
  onTestFinished(() => store.close());
  return store;
}

/** A second connection, as in another program. */
function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  return db;
}

/** Counts transactions in a write-ahead log: only the last frame of each has the size of the database in its header. */
function countCommits(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

/** Makes COMMIT fail from now on, by a deferred foreign key to a missing row. */
const failCommits = (path: string): void =>
  connect(path).exec(`
    CREATE TABLE debts (id INTEGER REFERENCES debtors (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE debtors (id INTEGER PRIMARY KEY);
    CREATE TRIGGER owe AFTER INSERT ON orders BEGIN INSERT INTO debts VALUES (1); END;`);

describe('a turn of the event loop', () => {
  it('commits once for all commands of a turn', async () => {
    const path = tempFile();
    const store = open(path);
    const before = countCommits(path);
    const outcomes = await Promise.all([
      ...letters.map((letter) => store.placeOrder(place(another(letter)))),
      store.createKey(key()),
    ]);
    expect(outcomes).toEqual(Array(11).fill(ok));
    expect(countCommits(path) - before).toBe(1);
  });

  it('runs the commands of a turn in the sequence of their calls', async () => {
    const store = open(tempFile());
    const commands = [store.placeOrder(place(another('A'))), store.changeOrder(change())];
    // A command that is dropped never has an outcome.
    expect(await Promise.race([Promise.all(commands), wait(2_000, 'no outcome')])).toEqual([ok, ok]);
  });

  it('commits nothing if every command was rejected', async () => {
    const path = tempFile();
    const store = open(path);
    await store.placeOrder(place(order()));
    const before = countCommits(path);
    const rejected = place(order(), { response: response() });
    const outcomes = await Promise.all([store.placeOrder(rejected), store.revokeKey('key_9', 1)]);
    expect(outcomes).toEqual([{ conflict: 'order_id_taken' }, { conflict: 'key_missing' }]);
    expect(countCommits(path)).toBe(before);
  });

  it('undoes only the writes of a rejected command', async () => {
    const store = open(tempFile());
    const [first, rejected, last] = await Promise.all([
      store.placeOrder(place(another('A'))),
      store.placeOrder(place(another('A'), { response: response() })),
      store.placeOrder(place(another('B'))),
    ]);
    expect([first, rejected, last]).toEqual([ok, { conflict: 'order_id_taken' }, ok]);
    expect(await store.findIdempotentResponse('shop', 'key-1')).toBeNull();
    expect(await store.findOrder(another('B').orderId)).toEqual(another('B'));
  });

  it('rejects only a command that a database constraint or a bug interrupts', async () => {
    const store = open(tempFile());
    const broken = another('B', { paymentStatus: 'LOST' as 'PAID' });
    const outcomes = await Promise.allSettled([
      store.placeOrder(place(another('A'))),
      store.placeOrder(place(broken, { response: response() })),
      store.placeOrder(place(another('C'))),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await store.findIdempotentResponse('shop', 'key-1')).toBeNull();
    expect(await store.placeOrder(place(another('D')))).toEqual(ok);
  });
});

describe('a failure', () => {
  it('rejects every command of the turn if the commit fails, and stops writes but not reads', async () => {
    const path = tempFile();
    const onChange = vi.fn();
    const store = open(path, onChange);
    await store.placeOrder(place(another('A')));
    failCommits(path);
    const outcomes = await Promise.allSettled([
      store.placeOrder(place(another('B'))),
      store.createKey(key()),
      store.placeOrder(place(another('A'))),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(store.createKey(key())).rejects.toThrow('accepts no more writes');
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce());
    expect(await store.findOrder(another('A').orderId)).toEqual(another('A'));
    expect(await store.findOrder(another('B').orderId)).toBeNull();
    expect(await store.listKeys()).toEqual([]);
    expect(await open(path).findOrder(another('B').orderId)).toBeNull();
  });

  it('rejects the whole turn if the database is full in the middle of it', async () => {
    const path = tempFile();
    const db = openDatabase(path);
    const store = storeOver(db, { path });
    onTestFinished(() => store.close());
    const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
    db.exec(`PRAGMA max_page_count = ${pages + 1}`);
    const outcomes = await Promise.allSettled(
      letters.map((letter) => store.placeOrder(place(another(letter)))),
    );
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect(store.createKey(key())).rejects.toThrow('database or disk is full');
    expect(await store.findOrder(another('A').orderId)).toBeNull();
  });

  it('loses no acknowledged order when a write to the disk fails', async () => {
    const path = tempFile();
    const module = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
    const script = `
      import { createSqliteStore } from ${module('../src/sqlite/index.ts')};
      import { another, place } from ${module('../../suites/src/store/fixtures.ts')};
      const store = createSqliteStore({ path: ${JSON.stringify(path)} });
      const outcomes = [];
      for (let n = 0; n < 300; n += 1)
        outcomes.push(await store.placeOrder(place(another('N' + n))).then(() => 'done', (error) => error.problem));
      const readable = await store.findOrder(another('N0').orderId) !== null;
      console.log(JSON.stringify({ outcomes, readable }));`;
    // The operating system limits every file of the child process to 512 KiB.
    const limited = `trap '' XFSZ; ulimit -f 512; exec "$0" "$@"`;
    const node = [process.execPath, '--conditions=@topup-kit/source', '--input-type=module-typescript'];
    const printed = execFileSync('bash', ['-c', limited, ...node, '--eval', script], { encoding: 'utf8' });
    const { outcomes, readable }: { outcomes: string[]; readable: boolean } = JSON.parse(printed);

    const done = outcomes.lastIndexOf('done') + 1;
    expect(done).toBeGreaterThan(0);
    expect(outcomes.slice(0, done)).toEqual(Array(done).fill('done'));
    expect(outcomes.slice(done)).toEqual(Array(300 - done).fill('writes_paused'));
    expect(done).toBeLessThan(300);
    expect(readable).toBe(true);
    const after = open(path);
    for (let n = 0; n < done; n += 1) expect(await after.findOrder(another(`N${n}`).orderId)).not.toBeNull();
  });

  it("waits for another process's lock, and serves reads meanwhile", async () => {
    const path = tempFile();
    const store = open(path);
    const other = connect(path);
    other.exec('BEGIN IMMEDIATE');
    const placed = store.placeOrder(place(order()));
    await wait(10);
    expect(await store.findOrder(order().orderId)).toBeNull();
    other.exec('ROLLBACK');
    expect(await placed).toEqual(ok);
  });

  it('never fails if there is nothing to commit', async () => {
    const path = tempFile();
    const store = open(path);
    const other = connect(path);
    other.exec('BEGIN IMMEDIATE');
    expect(await store.dropIdempotentResponses(Date.now(), 100)).toBe(0);
  });
});

describe('a store with a host', () => {
  it('checks its file twice a second until it is closed, even without a command', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const path = tempFile();
    const onChange = vi.fn();
    const store = open(path, onChange);
    renameSync(path, `${path}.away`);
    for (const problem of ['file_gone', null]) {
      await vi.advanceTimersByTimeAsync(500);
      await new Promise(setImmediate);
      expect(onChange).toHaveBeenLastCalledWith(problem && expect.objectContaining({ problem }));
      if (problem) renameSync(`${path}.away`, path);
    }
    await store.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a group commit', () => {
  const disk = new Error('disk gone');
  const locked = new Error('locked');
  const rejected = new Error('nothing was written');

  /** A group commit whose steps are recorded, and fail while they are in `failing`. */
  function createCommits(over: Partial<GroupCommitOptions> = {}) {
    const steps: string[] = [];
    const tries: number[] = [];
    const failing = new Map<string, Error>();
    const step = (name: string) => () => {
      steps.push(name);
      const error = failing.get(name);
      if (error) throw error;
    };
    const commits = createGroupCommit({
      transaction: {
        begin() {
          tries.push(performance.now());
          step('begin')();
        },
        commit: step('commit'),
        rollBack: step('roll back'),
        savepoint: step('savepoint'),
        keep: step('keep'),
        undo: step('undo'),
      },
      gate: {
        obstacle: () => null,
        begun: step('begun'),
        busy(error) {
          steps.push(`busy: ${error instanceof Error ? error.message : error}`);
          return rejected;
        },
        failed(error) {
          steps.push(`failed: ${error instanceof Error ? error.message : error}`);
          return rejected;
        },
      },
      keeps: (result) => !isConflict(result),
      isBusy: (error) => error === locked,
      concernsOneCommand: (error) => error !== disk,
      onCommit: (commands) => steps.push(`committed ${commands}`),
      ...over,
    });
    const command = (name: string, result: object = ok) =>
      commits.run(() => {
        step(name)();
        return result;
      });
    return { commits, command, failing, steps, tries };
  }

  const reasonOf = (result: Promise<unknown>): Promise<unknown> =>
    result.then(
      () => 'done',
      (error) => error,
    );

  it('runs nothing at first, and then all commands in one transaction', async () => {
    const { command, steps } = createCommits();
    const results = [command('A'), command('B', { conflict: 'taken' }), command('C')];
    expect(steps).toEqual([]);
    expect(await Promise.all(results)).toEqual([ok, { conflict: 'taken' }, ok]);
    expect(steps).toEqual([
      ...['begin', 'begun', 'savepoint', 'A', 'keep', 'savepoint', 'B', 'undo', 'savepoint', 'C', 'keep'],
      ...['commit', 'committed 2'],
    ]);
  });

  it('commits nothing if all commands conflict', async () => {
    const { command, steps } = createCommits();
    expect(await command('A', { conflict: 'taken' })).toEqual({ conflict: 'taken' });
    expect(steps).toEqual(['begin', 'begun', 'savepoint', 'A', 'undo', 'roll back']);
  });

  it('resolves no command before its commit returned', async () => {
    const { command, failing, steps } = createCommits({ onCommit: undefined });
    failing.set('commit', disk);
    // A command that resolves too early would resolve before the commit fails.
    const results = [command('A'), command('B', { conflict: 'taken' })];
    expect(await Promise.all(results.map(reasonOf))).toEqual([rejected, rejected]);
    expect(steps.slice(-3)).toEqual(['commit', 'roll back', 'failed: disk gone']);
    failing.clear();
    expect(await command('C')).toEqual(ok);
  });

  it('rejects only the command that throws, or all commands if the file has the error', async () => {
    const { command, failing, steps } = createCommits();
    const bug = new Error('a bug');
    failing.set('A', bug);
    expect(await Promise.all([command('A'), command('B')].map(reasonOf))).toEqual([bug, 'done']);
    failing.set('A', disk);
    steps.length = 0;
    expect(await Promise.all([command('A'), command('B')].map(reasonOf))).toEqual([rejected, rejected]);
    expect(steps).toEqual(['begin', 'begun', 'savepoint', 'A', 'roll back', 'failed: disk gone']);
  });

  it("starts no transaction while there is an obstacle, or after a transaction that can't begin", async () => {
    let obstacle: Error | null = disk;
    const gate = { obstacle: () => obstacle, begun: () => {}, busy: () => rejected, failed: () => rejected };
    const { command, failing, steps } = createCommits({ gate });
    expect(await reasonOf(command('A'))).toBe(disk);
    expect(steps).toEqual([]);
    obstacle = null;
    failing.set('begin', disk);
    expect(await reasonOf(command('B'))).toBe(rejected);
    expect(steps).toEqual(['begin']);
  });

  function fakeTime(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
  }

  it("retries a transaction until another process's lock is free", async () => {
    fakeTime();
    const { command, failing, steps, tries } = createCommits();
    failing.set('begin', locked);
    const results = [command('A'), command('B')];
    await vi.advanceTimersByTimeAsync(1_000);
    const pauses = tries.slice(1).map((time, index) => time - (tries[index] ?? 0));
    expect(pauses.slice(0, 6)).toEqual([5, 10, 20, 40, 80, 100]);
    expect(new Set(pauses.slice(6))).toEqual(new Set([100]));
    failing.clear();
    results.push(command('C'));
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(results)).toEqual([ok, ok, ok]);
    expect(steps.filter((step) => step.startsWith('committed'))).toEqual(['committed 3']);
    // The next lock begins with short pauses again.
    steps.length = 0;
    failing.set('begin', locked);
    const later = command('D');
    await vi.advanceTimersByTimeAsync(5);
    failing.clear();
    await vi.advanceTimersByTimeAsync(10);
    expect(await later).toEqual(ok);
    expect(steps.slice(0, 4)).toEqual(['begin', 'begin', 'begin', 'begun']);
  });

  it('rejects a command after two seconds of waiting, and lets later commands wait', async () => {
    fakeTime();
    const { command, failing, steps } = createCommits();
    failing.set('begin', locked);
    const outcomes: string[] = [];
    const note = (name: string) =>
      command(name).then(
        () => outcomes.push(name),
        () => outcomes.push(`no ${name}`),
      );
    void note('A');
    await vi.advanceTimersByTimeAsync(1_000);
    void note('B');
    await vi.advanceTimersByTimeAsync(950);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(outcomes).toEqual(['no A']);
    failing.clear();
    await vi.advanceTimersByTimeAsync(100);
    expect(outcomes).toEqual(['no A', 'B']);
    expect(steps.filter((step) => /^(failed|busy)/.test(step))).toEqual(['busy: locked']);
    // What was rejected may not be stored after all.
    expect(steps.slice(-5)).toEqual(['savepoint', 'B', 'keep', 'commit', 'committed 1']);
    expect(steps).not.toContain('A');
  });

  it('finishes commands that wait for a lock when it is stopped, and rejects later commands', async () => {
    fakeTime();
    const { command, commits, failing } = createCommits();
    await commits.stop(disk);
    const waiting = createCommits();
    waiting.failing.set('begin', locked);
    const placed = waiting.command('A');
    await vi.advanceTimersByTimeAsync(20);
    const stopped = vi.fn();
    void waiting.commits.stop(disk).then(stopped);
    void waiting.commits.stop(rejected);
    expect(await reasonOf(waiting.command('B'))).toBe(disk);
    await vi.advanceTimersByTimeAsync(20);
    expect(stopped).not.toHaveBeenCalled();
    waiting.failing.clear();
    await vi.advanceTimersByTimeAsync(100);
    expect(await placed).toEqual(ok);
    expect(stopped).toHaveBeenCalledOnce();
    failing.clear();
    expect(await reasonOf(command('C'))).toBe(disk);
  });
});

describe('a roll-back', () => {
  it('does nothing if SQLite has already rolled back', () => {
    const db = connect(':memory:');
    prepareTransaction(db).rollBack();
    expect(db.isOpen).toBe(true);
  });

  it('closes the database after a failed rollback, so that nobody reads uncommitted data', () => {
    const db = new DatabaseSync(':memory:');
    const transaction = prepareTransaction(db);
    transaction.begin();
    vi.spyOn(db, 'exec').mockImplementation(() => {
      throw new Error('disk gone');
    });
    transaction.rollBack();
    expect(db.isOpen).toBe(false);
  });
});
