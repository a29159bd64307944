import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callback, key } from '../../core/src/store/suite/fixtures.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';
import { rewriteLog } from '../src/sqlite/rewrite-log.ts';

const megabyte = 1 << 20;

function tempFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'topup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'topup.db');
}

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
  it('that other processes write is written to the database by a server without commands', async () => {
    const path = tempFile();
    const server = createSqliteStore({ path, onChange: () => {} });
    onTestFinished(() => server.close());

    connect(path).exec(`CREATE TABLE filler AS SELECT zeroblob(${5 * megabyte}) AS bytes`);

    await expect.poll(() => sizeOf(path), { timeout: 2_000 }).toBeGreaterThan(5 * megabyte);
  });

  it('stays short when many short processes write beside one that is idle', async () => {
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

  it('stays short when one process writes, and is cut to its limit after a large write', async () => {
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

describe('a log that is written again', () => {
  const old = Uint8Array.from({ length: 5_000 }, (_, at) => at % 251);

  function rewrite(atMost: number): Uint8Array {
    const written = new Uint8Array(old.length);
    rewriteLog(new DatabaseSync(':memory:'), 'topup.db', () => ({
      size: old.length,
      read: (at, length) => old.slice(at, at + length),
      write(at, bytes) {
        written.set(bytes.subarray(0, atMost), at);
        return Math.min(atMost, bytes.length);
      },
      sync: () => {},
      [Symbol.dispose]: () => {},
    }));
    return written;
  }

  it('is written whole, also when the system writes less than it is given', () => {
    expect(rewrite(1_000)).toEqual(old);
  });

  it('stops the start when nothing more can be written', () => {
    expect(() => rewrite(0)).toThrow("topup.db-wal can't be written");
  });
});
