import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { backUpStore, type CopyProgress, lockForServer, restoreStore } from '../src/sqlite/index.ts';
import {
  countOrders,
  makeStore,
  openedStore,
  placeOrders,
  rejectionOf,
  tempFolder,
} from './helpers/store-file.ts';

// Reading a store may leave an empty write-ahead log and its index.
const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .toSorted();

/** A folder with a store of 5 orders, and a backup from when it had 3. */
async function storeAndBackup(): Promise<{ folder: string; path: string; backup: string }> {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  const backup = join(folder, 'backup.db');
  await makeStore(path, 3);
  await backUpStore(path, backup);
  const store = await openedStore(path);
  await placeOrders(store, 3, 5);
  await store.close();
  return { folder, path, backup };
}

/** The files of a killed server: some changes are only in the write-ahead log. */
async function killedStore(path: string, orders: number): Promise<void> {
  await openedStore(`${path}-open`, orders);
  for (const suffix of ['', '-wal']) copyFileSync(`${path}-open${suffix}`, path + suffix);
}

it('replaces the store with the backup, and keeps the old store', async () => {
  const { folder, path, backup } = await storeAndBackup();

  const { former, ...facts } = await restoreStore(backup, path);

  expect(facts).toMatchObject({ orders: 3, sealed: true });
  expect(former).toMatch(/topup\.db\.before-\d{8}T\d{6}Z$/);
  expect(countOrders(former ?? '')).toBe(5);
  const names = readdirSync(folder).map((name) => name.replace(/before-.*/, 'before'));
  expect(names.toSorted()).toEqual(['backup.db', 'topup.db', 'topup.db.before', 'topup.db.lock']);
  const store = await openedStore(path);
  expect(await store.listOrders({ limit: 10 })).toHaveLength(3);
});

it('keeps all changes of a killed server in the old store, and leaves no log that would damage the new store', async () => {
  const { folder, backup } = await storeAndBackup();
  const path = join(folder, 'killed.db');
  await killedStore(path, 7);
  // Without its log, the file is still empty.
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(statSync(path).size);

  const { former } = await restoreStore(backup, path);

  expect(countOrders(path)).toBe(3);
  expect(countOrders(former ?? '')).toBe(7);
});

it('creates a missing store that only its owner can access', async () => {
  const { folder, backup } = await storeAndBackup();
  const path = join(folder, 'new', 'topup.db');

  expect(await restoreStore(backup, path)).toMatchObject({ former: null });

  expect(countOrders(path)).toBe(3);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'new')).toSorted()).toEqual(['topup.db', 'topup.db.lock']);
});

it('keeps the mode of the store and a link to it', async () => {
  const { folder, path, backup } = await storeAndBackup();
  chmodSync(path, 0o640);
  const link = join(folder, 'link.db');
  symlinkSync(path, link);

  await restoreStore(backup, link);

  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(countOrders(path)).toBe(3);
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

it('rejects a restore while a server serves the store, and names the server', async () => {
  const { folder, path, backup } = await storeAndBackup();
  const lock = lockForServer(path, { pid: 4711, address: '127.0.0.1:4000' });
  onTestFinished(() => lock.release());

  expect(await rejectionOf(restoreStore(backup, path))).toMatchObject({
    problem: 'served_already',
    message: `A server (pid 4711, 127.0.0.1:4000) serves ${path}, so it can't be replaced.`,
  });
  expect(countOrders(path)).toBe(5);
  expect(namesIn(folder)).toEqual(['backup.db', 'topup.db', 'topup.db.lock']);
});

it('lets a server start only after the restore', async () => {
  const { path, backup } = await storeAndBackup();
  const tried: string[] = [];

  await restoreStore(backup, path, {
    onProgress() {
      expect(() => lockForServer(path, { pid: 1 })).toThrow(`pid ${process.pid}, restoring a backup`);
      tried.push('rejected');
    },
  });

  expect(tried).not.toEqual([]);
  lockForServer(path, { pid: 1 }).release();
});

it('rejects a restore while another program has opened the store', async () => {
  const { path, backup } = await storeAndBackup();
  const script = `
    const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
    db.prepare('SELECT count(*) FROM orders').get();
    console.log('open');
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');

  expect(await rejectionOf(restoreStore(backup, path))).toMatchObject({
    problem: 'in_use',
    message: `Another program has ${path} open, perhaps another topup command.`,
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(countOrders(path)).toBe(5);
});

it('rejects a damaged backup, and leaves the store unchanged', async () => {
  const { folder, path, backup } = await storeAndBackup();
  const bytes = readFileSync(backup);
  bytes.write('�', Math.floor(bytes.length / 2));
  writeFileSync(backup, bytes);
  const before = readFileSync(path);

  expect(await rejectionOf(restoreStore(backup, path))).toMatchObject({ problem: 'damaged' });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(namesIn(folder)).toEqual(['backup.db', 'topup.db', 'topup.db.lock']);
});

it('rejects a copy that is damaged during the restore, and leaves the store unchanged', async () => {
  const { folder, path, backup } = await storeAndBackup();
  const before = readFileSync(path);
  const copy = `${path}.restoring`;
  const onProgress = ({ step }: CopyProgress): void => {
    if (step !== 'verifying' || !existsSync(copy)) return;
    const bytes = readFileSync(copy);
    writeFileSync(copy, bytes.fill(0xff, Math.floor(bytes.length / 2)));
  };

  expect(await rejectionOf(restoreStore(backup, path, { onProgress }))).toMatchObject({ problem: 'damaged' });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(namesIn(folder)).toEqual(['backup.db', 'topup.db', 'topup.db.lock']);
});

it('replaces a store that is too damaged to open, and keeps all its files', async () => {
  const { folder, backup } = await storeAndBackup();
  const path = join(folder, 'killed.db');
  await killedStore(path, 7);
  writeFileSync(path, 'x'.repeat(8_192));
  writeFileSync(`${path}-wal`, 'y'.repeat(8_192));

  const { former } = await restoreStore(backup, path);

  expect(countOrders(path)).toBe(3);
  expect(readFileSync(former ?? '', 'utf8')).toBe('x'.repeat(8_192));
  expect(readFileSync(`${former}-wal`, 'utf8')).toBe('y'.repeat(8_192));
});

it("rejects a restore over another program's database", async () => {
  const { folder, backup } = await storeAndBackup();
  const path = join(folder, 'other.db');
  using other = new DatabaseSync(path);
  other.exec('CREATE TABLE notes (text)');

  expect(await rejectionOf(restoreStore(backup, path))).toMatchObject({
    problem: 'not_a_store',
    message: `${path} is a database of another program.`,
  });
});

it('rejects the store itself and a missing file as a backup', async () => {
  const { folder, path } = await storeAndBackup();

  expect(await rejectionOf(restoreStore(path, path))).toMatchObject({ problem: 'own_file' });
  expect(
    await rejectionOf(restoreStore(join(folder, 'none.db'), join(folder, 'x', 'topup.db'))),
  ).toMatchObject({
    problem: 'missing',
  });
  expect(readdirSync(folder)).not.toContain('x');
});

it('leaves no file when a restore is aborted', async () => {
  const { folder, path, backup } = await storeAndBackup();
  const stop = new AbortController();
  const options = { signal: stop.signal, onProgress: () => stop.abort('SIGINT') };

  await expect(restoreStore(backup, path, options)).rejects.toBe('SIGINT');

  expect(countOrders(path)).toBe(5);
  expect(namesIn(folder)).toEqual(['backup.db', 'topup.db', 'topup.db.lock']);
});

it("doesn't replace a link to a missing file, such as one on an unmounted disk", async () => {
  const { folder, backup } = await storeAndBackup();
  const link = join(folder, 'shop.db');
  symlinkSync(join(folder, 'disk', 'shop.db'), link);
  expect((await rejectionOf(restoreStore(backup, link))).message).toMatch(
    /shop\.db is a link to a missing file/,
  );
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(namesIn(folder)).toEqual(['backup.db', 'shop.db', 'topup.db']);
});

it('names a link that links to itself', async () => {
  const { folder, backup } = await storeAndBackup();
  const link = join(folder, 'loop.db');
  symlinkSync(link, link);
  expect((await rejectionOf(restoreStore(backup, link))).message).toMatch(
    /loop\.db can't be reached \(ELOOP\)/,
  );
});

it('rejects a backup that is replaced during the restore', async () => {
  const { folder, path, backup } = await storeAndBackup();
  const other = join(folder, 'other.db');
  await backUpStore(path, other);
  const restoring = restoreStore(backup, path);
  renameSync(other, backup);
  expect((await rejectionOf(restoring)).message).toMatch(/backup\.db was changed while it was restored/);
  expect(countOrders(path)).toBe(5);
});
