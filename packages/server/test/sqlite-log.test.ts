import { readFileSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callback } from '../../suites/src/store/callbacks/callback-cases.ts';
import { key } from '../../suites/src/store/fixtures.ts';
import { type Log, prepareCheckpoints } from '../src/sqlite/checkpoints.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';
import { openDatabase } from '../src/sqlite/open-database.ts';
import { openLog, rewriteLog } from '../src/sqlite/rewrite-log.ts';
import { tempFile } from './helpers/store-file.ts';

const megabyte = 1 << 20;

const sizeOf = (file: string): number => statSync(file).size;

/** Another program, which has the store open and writes its log to the database neither by itself nor at its end. */
function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  // Only a connection that has read the file keeps the others from being the last.
  db.exec('PRAGMA wal_autocheckpoint = 0; SELECT * FROM keys');
  return db;
}

const large = (number: number) =>
  callback({ callbackId: `cb_${number}`, body: new Uint8Array(megabyte), orderId: null });

describe('the write-ahead log', () => {
  it("writes other processes' log to the database in a server without commands", async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const path = tempFile();
    const server = createSqliteStore({ path, onChange: () => {} });
    onTestFinished(() => server.close());

    connect(path).exec(`CREATE TABLE filler AS SELECT zeroblob(${5 * megabyte}) AS bytes`);
    expect(sizeOf(path)).toBeLessThan(megabyte);

    await vi.advanceTimersByTimeAsync(500);
    expect(sizeOf(path)).toBeGreaterThan(5 * megabyte);
  });

  it('keeps the log short while many short processes write next to an idle process', async () => {
    const path = tempFile();
    await createSqliteStore({ path }).close();
    connect(path);

    for (let number = 0; number < 12; number += 1) {
      const store = createSqliteStore({ path });
      await store.addCallback(large(number));
      await store.close();
    }

    expect(sizeOf(`${path}-wal`)).toBeLessThan(6 * megabyte);
  });

  it("uses the log of a link's target file", async () => {
    const path = tempFile();
    await createSqliteStore({ path }).close();
    const link = `${path}-link`;
    symlinkSync(path, link);
    const store = createSqliteStore({ path: link });
    onTestFinished(() => store.close());

    for (let number = 0; number < 12; number += 1) await store.addCallback(large(number));
    expect(sizeOf(`${path}-wal`)).toBeLessThan(6 * megabyte);

    using log = openLog(link);
    expect(log?.size).toBe(sizeOf(`${path}-wal`));

    rmSync(`${path}-wal`);
    await expect(store.createKey(key())).rejects.toMatchObject({
      problem: 'file_gone',
      message: expect.stringContaining(`${path}-wal was deleted`),
    });
  });

  it('keeps the log short while one process writes, and cuts it to its limit after a large write', async () => {
    const path = tempFile();
    const store = createSqliteStore({ path });
    onTestFinished(() => store.close());

    for (let number = 0; number < 12; number += 1) await store.addCallback(large(number));
    expect(sizeOf(`${path}-wal`)).toBeLessThan(6 * megabyte);

    await Promise.all([20, 21, 22, 23, 24, 25].map((number) => store.addCallback(large(number))));
    await new Promise(setImmediate);
    await store.createKey(key());
    expect(sizeOf(`${path}-wal`)).toBeLessThanOrEqual(4 * megabyte);
  });
});

describe('a check of the log', () => {
  const tooLong = { size: () => 101, limit: 100 };
  const diskGone = new Error('disk gone');

  /** A store that has an order in its log only. Returns how much longer its file is after the check. */
  function growthOf(log: Log, obstacle: Error | null = null) {
    const path = tempFile();
    const db = openDatabase(path);
    onTestFinished(() => (db.isOpen ? db.close() : undefined));
    const failed = vi.fn(() => diskGone);
    const check = prepareCheckpoints(db, { obstacle: () => obstacle, failed }, log);
    db.exec('CREATE TABLE filler AS SELECT zeroblob(100000)');
    const before = sizeOf(path);
    return { db, failed, check, growth: () => sizeOf(path) - before };
  }

  it.each([
    ['longer than its limit', tooLong, null, true],
    ['as long as its limit', { size: () => 100, limit: 100 }, null, false],
    ['too long and nothing can be written', tooLong, diskGone, false],
  ])('checks the log when it is %s', (_name, log, obstacle, isWritten) => {
    const { check, failed, growth } = growthOf(log, obstacle);
    expect(growth()).toBe(0);
    check();
    expect(growth() >= 100_000).toBe(isWritten);
    expect(failed).not.toHaveBeenCalled();
  });

  it('stops writes after a failed check', () => {
    const size = (): number => {
      throw diskGone;
    };
    const { check, failed } = growthOf({ size, limit: 100 });
    check();
    expect(failed.mock.calls).toEqual([[diskGone]]);
  });

  it('does nothing when the store is closed', () => {
    const { db, check, failed } = growthOf(tooLong);
    db.close();
    check();
    expect(failed).not.toHaveBeenCalled();
  });
});

describe('a log that is written again', () => {
  const chunk = megabyte;
  const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251);

  /** Writes a log of `length` bytes again, where the system writes as many at a time as `write` says. */
  function rewrite(length: number, write: (given: number, at: number) => number) {
    const old = bytesOf(length);
    const written = new Uint8Array(length);
    const steps: string[] = [];
    const db = new DatabaseSync(':memory:');
    onTestFinished(() => db.close());
    let error: unknown;
    try {
      rewriteLog(db, 'topup.db', () => ({
        size: length,
        read: (at, count) => old.slice(at, at + count),
        write(at, bytes) {
          // No other process may write meanwhile.
          expect(db.isTransaction).toBe(true);
          steps.push(`write ${bytes.length} at ${at}`);
          const count = write(bytes.length, at);
          written.set(bytes.subarray(0, count), at);
          return count;
        },
        sync: () => steps.push('sync'),
        [Symbol.dispose]: () => steps.push('close'),
      }));
    } catch (caught) {
      error = caught;
    }
    expect(db.isTransaction).toBe(false);
    return { error, steps, isWhole: Buffer.compare(old, written) === 0 };
  }
  const systemError = (code: string): never => {
    throw Object.assign(new Error(code), { code });
  };

  it('rewrites the whole log in parts, and syncs it', () => {
    expect(rewrite(chunk + 10, (given) => given)).toEqual({
      error: undefined,
      steps: [`write ${chunk} at 0`, `write 10 at ${chunk}`, 'sync', 'close'],
      isWhole: true,
    });
  });

  it('writes the log as a whole, even if the system writes less at a time', () => {
    const { steps, isWhole } = rewrite(2_500, (given) => Math.min(given, 1_000));
    expect([isWhole, steps.slice(0, 3)]).toEqual([
      true,
      ['write 2500 at 0', 'write 1500 at 1000', 'write 500 at 2000'],
    ]);
  });

  it('stops the start if nothing more can be written', () => {
    const { error, steps } = rewrite(2_000, (_, at) => (at === 0 ? 1_500 : 0));
    expect(error).toMatchObject({
      problem: 'not_writable',
      message: "The log of topup.db can't be written (Error: nothing was written at byte 1500).",
    });
    expect(steps.at(-1)).toBe('close');
  });

  it('stops the start when the disk fails', () => {
    const { error, steps } = rewrite(2_000, () => systemError('EIO'));
    expect(error).toMatchObject({
      problem: 'not_writable',
      message: "The log of topup.db can't be written (EIO).",
    });
    expect(steps).toEqual(['write 2000 at 0', 'close']);
  });

  it('starts on a full disk if reads can be served', () => {
    const { error, steps } = rewrite(2_000, () => systemError('ENOSPC'));
    expect([error, steps]).toEqual([undefined, ['write 2000 at 0', 'sync', 'close']]);
  });

  it('writes nothing for an empty log', () => {
    expect(rewrite(0, (given) => given)).toMatchObject({ error: undefined, steps: ['close'] });
  });

  it('writes the file next to the database, which only a server writes again', async () => {
    const path = tempFile();
    expect(openLog(path)).toBeNull();
    const store = createSqliteStore({ path });
    onTestFinished(() => store.close());
    await store.createKey(key());
    const before = readFileSync(`${path}-wal`);
    for (const options of [{}, { takeOver: true }]) {
      utimesSync(`${path}-wal`, 0, 0);
      const opened = createSqliteStore({ path, ...options });
      onTestFinished(() => opened.close());
      expect(statSync(`${path}-wal`).mtimeMs > 0).toBe('takeOver' in options);
    }
    expect(readFileSync(`${path}-wal`).equals(before)).toBe(true);

    using log = openLog(path);
    const whole = log?.read(0, before.length + 100);
    expect([log?.size, Buffer.compare(whole ?? Buffer.of(), before)]).toEqual([before.length, 0]);
    expect(log?.write(before.length, Buffer.of(1, 2))).toBe(2);
    expect([...(log?.read(before.length, 5) ?? [])]).toEqual([1, 2]);
    log?.sync();
  });
});
