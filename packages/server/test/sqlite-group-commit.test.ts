import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '@topup-kit/core/store';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { another, change, key, order, place, response } from '../../core/src/store/suite/fixtures.ts';
import { createGroupCommit } from '../src/sqlite/group-commit.ts';
import type { StoreFileError } from '../src/sqlite/index.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';
import { openDatabase } from '../src/sqlite/open-database.ts';
import { storeOver } from '../src/sqlite/sqlite-store.ts';
import { createWriteGate } from '../src/sqlite/write-gate.ts';

const ok = { done: true };
const letters = [...'ABCDEFGHIJ'];

function tempFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'topup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'topup.db');
}

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
  it('commits once for all its commands', async () => {
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

  it('runs its commands in the order they were called', async () => {
    const store = open(tempFile());
    const outcomes = await Promise.all([store.placeOrder(place(another('A'))), store.changeOrder(change())]);
    expect(outcomes).toEqual([ok, ok]);
  });

  it('commits nothing when every command was rejected', async () => {
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
    expect(await store.findIdempotentResponse('shop', 'key-1', order().createdAt)).toBeNull();
    expect(await store.findOrder(another('B').orderId)).toEqual(another('B'));
  });

  it('rejects only the command that a database constraint or a bug stops midway', async () => {
    const store = open(tempFile());
    const broken = another('B', { paymentStatus: 'LOST' as 'PAID' });
    const outcomes = await Promise.allSettled([
      store.placeOrder(place(another('A'))),
      store.placeOrder(place(broken, { response: response() })),
      store.placeOrder(place(another('C'))),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await store.findIdempotentResponse('shop', 'key-1', order().createdAt)).toBeNull();
    expect(await store.placeOrder(place(another('D')))).toEqual(ok);
  });

  it('resolves no command before its commit returned', async () => {
    const steps: string[] = [];
    const step = (name: string) => () => void steps.push(name);
    const transaction = {
      begin: step('begin'),
      commit() {
        steps.push('commit');
        // A command that resolves too early would resolve before the commit fails.
        throw new Error('disk gone');
      },
      rollBack: step('roll back'),
      savepoint: step('savepoint'),
      keep: step('keep'),
      undo: step('undo'),
    };
    const commits = createGroupCommit({
      transaction,
      keeps: (result) => !('conflict' in result),
      isBusy: () => false,
      concernsOneCommand: () => true,
      gate: { obstacle: () => null, begun: () => {}, failed: () => new Error('no more writes') },
    });
    const running = [commits.run(() => ok), commits.run(() => ({ conflict: 'taken' }))];
    expect(steps).toEqual([]);
    const outcomes = await Promise.allSettled(running);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(steps).toEqual(['begin', 'savepoint', 'keep', 'savepoint', 'undo', 'commit', 'roll back']);
  });
});

describe('a failure', () => {
  it('of the commit rejects every command of the turn, and stops writes but not reads', async () => {
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

  it('of a full database in the middle of a turn rejects the whole turn', async () => {
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

  it('of a write to the disk loses no acknowledged order', async () => {
    const path = tempFile();
    const module = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
    const script = `
      import { createSqliteStore } from ${module('../src/sqlite/index.ts')};
      import { another, place } from ${module('../../core/src/store/suite/fixtures.ts')};
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

  it('to begin, because another process writes, is tried again until the lock is free', async () => {
    const path = tempFile();
    const store = open(path);
    const other = connect(path);
    other.exec('BEGIN IMMEDIATE');
    const outcomes = Promise.all([store.placeOrder(place(order())), store.createKey(key())]);
    const begin = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 300));
    // A wait on the event loop would have held up the timer.
    expect(performance.now() - begin).toBeLessThan(1_000);
    other.exec('ROLLBACK');
    expect(await outcomes).toEqual([ok, ok]);
  });

  it('to begin for too long rejects the commands as busy, tells the host once, and ends with the lock', async () => {
    const path = tempFile();
    const onChange = vi.fn();
    const store = open(path, onChange);
    const other = connect(path);
    other.exec('BEGIN IMMEDIATE');
    const outcomes = await Promise.allSettled([
      store.placeOrder(place(order())),
      store.createKey(key()),
      new Promise((resolve) => setTimeout(resolve, 500)).then(() => store.placeOrder(place(order()))),
    ]);
    const busy = { status: 'rejected', reason: { problem: 'busy', retryAfter: 1 } };
    expect(outcomes).toMatchObject(Array(3).fill(busy));
    expect(onChange.mock.calls).toMatchObject([[{ problem: 'busy' }]]);
    other.exec('ROLLBACK');
    // Noticed without a command.
    await vi.waitFor(() => expect(onChange).toHaveBeenLastCalledWith(null), 3_000);
    expect(await store.placeOrder(place(order()))).toEqual(ok);
  });

  it('is impossible where nothing is to be written', async () => {
    const path = tempFile();
    const store = open(path);
    const other = connect(path);
    other.exec('BEGIN IMMEDIATE');
    expect(await store.purgeIdempotentResponses(Date.now(), 100)).toBe(0);
  });
});

describe('a failed transaction', () => {
  const sqliteError = (errcode: number): Error => Object.assign(new Error('disk I/O error'), { errcode });
  const gate = () =>
    createWriteGate({
      path: tempFile(),
      transaction: { begin: () => {}, rollBack: () => {} },
      isOpen: () => true,
      onChange: () => {},
    });

  // https://www.sqlite.org/rescode.html
  it.each([
    ['SQLITE_FULL', 13, 'writes_paused'],
    ['SQLITE_IOERR_WRITE', 778, 'writes_paused'],
    ['SQLITE_IOERR_FSYNC', 1034, 'writes_stopped'],
    ['SQLITE_IOERR_READ', 266, 'writes_stopped'],
    ['SQLITE_CORRUPT', 11, 'writes_stopped'],
  ])('by %s: whether writes go on when there is room', async (_name, code, problem) => {
    const { failed, check, obstacle } = gate();
    expect(failed(sqliteError(code))).toMatchObject({ problem });
    expect(obstacle()).toMatchObject({ problem });
    await check();
    expect(obstacle()).toEqual(problem === 'writes_stopped' ? expect.objectContaining({ problem }) : null);
  });
});

describe('closing', () => {
  it('lets the commands end that wait for a lock', async () => {
    const path = tempFile();
    const store = open(path);
    const other = connect(path);
    other.exec('BEGIN IMMEDIATE');
    const placed = store.placeOrder(place(order()));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = store.close();
    await expect(store.createKey(key())).rejects.toMatchObject({ problem: 'closed' });
    other.exec('ROLLBACK');
    expect(await placed).toEqual(ok);
    await closed;
  });
});

describe('the file of an open store', () => {
  const writes = (path: string): number =>
    Number(connect(path).prepare('SELECT count(*) AS n FROM orders').get()?.n);

  it.each(['', '-wal'])('(topup.db%s) that is moved away stops writes until it is back', async (suffix) => {
    const path = tempFile();
    const onChange = vi.fn();
    const store = open(path, onChange);
    await store.placeOrder(place(another('A')));
    renameSync(path + suffix, `${path}.away`);
    await expect(store.placeOrder(place(another('B')))).rejects.toMatchObject({
      problem: 'file_gone',
      retryAfter: 10,
      message: `${path}${suffix} was deleted while the store is open, so nothing is written. Put the file back.`,
    });
    expect(await store.findOrder(another('A').orderId)).toEqual(another('A'));
    renameSync(`${path}.away`, path + suffix);
    await vi.waitFor(() => expect(onChange).toHaveBeenLastCalledWith(null), 3_000);
    expect(onChange.mock.calls).toMatchObject([[{ problem: 'file_gone' }], [null]]);
    expect(await store.placeOrder(place(another('B')))).toEqual(ok);
    expect(writes(path)).toBe(2);
  });

  it('that is replaced is noticed within a second, also without a command', async () => {
    const path = tempFile();
    const onChange = vi.fn();
    const store = open(path, onChange);
    await store.placeOrder(place(another('A')));
    await createSqliteStore({ path: `${path}.new` }).close();
    renameSync(`${path}.new`, path);
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), 1_000);
    expect(onChange.mock.calls).toMatchObject([
      [{ problem: 'file_gone', message: expect.stringContaining('or restart the server to use the file') }],
    ]);
    await expect(store.placeOrder(place(another('B')))).rejects.toMatchObject({ problem: 'file_gone' });
  });
});
