import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  backUpStore,
  findServer,
  lockForServer,
  openStore,
  readStoreInfo,
  restoreStore,
} from '../src/internal.ts';
import { makeStore, openedStore, placeOrders, rejectionOf, tempFolder } from './helpers/store-file.ts';

const hasPipes = spawnSync('mkfifo', ['--version']).status === 0;

/** Creates a named pipe, as an example of what is not a regular file. */
function makePipe(folder: string): string {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

describe.skipIf(!hasPipes)('a file that is not a regular file (needs mkfifo)', () => {
  it("doesn't replace a special file with a backup, even with force", async () => {
    const folder = tempFolder();
    const path = join(folder, 'topup.db');
    await makeStore(path, 1);
    const pipe = makePipe(folder);

    expect(await rejectionOf(backUpStore(path, pipe, { force: true }))).toMatchObject({
      problem: 'not_a_file',
      message: `${pipe} is a device or a pipe, not a file.`,
    });
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it("doesn't replace a special file with a restore, and leaves no lock next to it", async () => {
    const folder = tempFolder();
    const path = join(folder, 'topup.db');
    await makeStore(path, 1);
    await backUpStore(path, join(folder, 'friday.db'));
    const pipe = makePipe(folder);

    const rejection = await rejectionOf(restoreStore(join(folder, 'friday.db'), pipe));

    expect(rejection).toMatchObject({ problem: 'not_a_file' });
    expect(statSync(pipe).isFIFO()).toBe(true);
    expect(existsSync(`${pipe}.lock`)).toBe(false);
  });

  it('rejects a special file as a store, and leaves no lock next to it', async () => {
    const folder = tempFolder();
    const pipe = makePipe(folder);

    expect(() => openStore({ kind: 'file', path: pipe })).toThrow('is a device or a pipe');
    expect(() => lockForServer(pipe, { pid: 4711 })).toThrow('is a device or a pipe');
    expect(findServer(pipe)).toBeNull();
    expect(readdirSync(folder)).toEqual(['pipe']);
  });
});

it.skipIf(!existsSync('/proc/self'))('stops where no folder can be created (needs /proc)', () => {
  expect(() => openStore({ kind: 'file', path: '/proc/topup-none/a/topup.db' })).toThrow(
    "The folder /proc/topup-none/a can't be created (ENOENT).",
  );
});

describe('a file that replaced the owner of a log', () => {
  /** A store with a log, as a server leaves it that is killed, and a copy of it without the orders of the log. */
  async function killed() {
    const path = join(tempFolder(), 'topup.db');
    await makeStore(path, 1);
    copyFileSync(path, `${path}.older`);
    const lock = lockForServer(path, { pid: 1, address: 'first' });
    const store = await openedStore(path);
    await placeOrders(store, 10, 30);
    // Nothing else of a process that is killed stays: its log, and the lock's file without a lock.
    const remains = ['', '-wal', '.lock'].map((end) => [end, readFileSync(path + end)] as const);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    return { path, lock, store, remains };
  }

  it('neither serves nor opens a file with the log of a replaced file, and changes neither', async () => {
    const { path, lock, store, remains } = await killed();
    renameSync(path, `${path}.original`);
    renameSync(`${path}.older`, path);
    const before = readFileSync(path);
    const message = `${path} does not belong to the log ${path}-wal next to it. The log may hold orders that are nowhere else, and would damage this file. Put the log's file back, or move the log away to use this file. If you copied the file and the log here together, delete ${path}.lock.`;

    for (const open of [
      () => openStore({ kind: 'file', path }),
      () => lockForServer(path, { pid: 1, address: 'first' }),
    ])
      expect(open).toThrow(expect.objectContaining({ problem: 'replaced', message }));
    await store.close();
    lock.release();
    expect(() => openStore({ kind: 'file', path })).toThrow(message);
    expect(readFileSync(path)).toEqual(before);
    expect(readFileSync(`${path}-wal`)).toEqual(remains[1]?.[1]);
  });

  it('replaces a file next to a foreign log with a restore, which keeps both under names that nothing opens together', async () => {
    const { path, lock, store, remains } = await killed();
    await backUpStore(path, `${path}.backup`);
    renameSync(path, `${path}.original`);
    renameSync(`${path}.older`, path);
    const older = readFileSync(path);
    await store.close();
    lock.release();

    expect(await rejectionOf(readStoreInfo(path))).toMatchObject({ problem: 'replaced' });
    const { former } = await restoreStore(`${path}.backup`, path);

    const restored = await openedStore(path);
    await placeOrders(restored, 40, 41);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    // The new log is that of the new file, also before a server has served it.
    expect((await readStoreInfo(path)).orders).toBe(22);
    expect(readFileSync(former ?? '')).toEqual(older);
    expect(existsSync(`${former}-wal`)).toBe(false);
    expect(readFileSync(`${former}.other-wal`)).toEqual(remains[1]?.[1]);
  });

  it('opens a file when the foreign log was moved away, and the other file when the log is back', async () => {
    const { path, lock, store } = await killed();
    renameSync(path, `${path}.original`);
    renameSync(`${path}.older`, path);
    await store.close();
    lock.release();
    renameSync(`${path}-wal`, `${path}-wal.away`);
    const older = await openedStore(path);
    expect((await older.countOrders()).reduce((sum, { count }) => sum + count, 0)).toBe(1);
    await older.close();

    renameSync(`${path}.original`, path);
    renameSync(`${path}-wal.away`, `${path}-wal`);
    const original = await openedStore(path);
    expect((await original.countOrders()).reduce((sum, { count }) => sum + count, 0)).toBe(21);
    await original.close();
  });
});
