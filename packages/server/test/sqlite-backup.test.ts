import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sandboxKey } from '@topup-kit/core/contract';
import { createTopupClient } from '@topup-kit/sdk';
import { expect, it, vi } from 'vitest';
import { backUpBeside, backUpStore, type CopyProgress, lockForServer } from '../src/sqlite/index.ts';
import { migrations } from '../src/sqlite/migrate.ts';
import { fixtureOrder } from './helpers/sandbox.ts';
import { startServerProcess } from './helpers/server-process.ts';
import { countOrders, makeStore, openedStore, query, rejectionOf, tempFolder } from './helpers/store-file.ts';

/** More than one step of the copy. */
const manyOrders = 4_000;

it('creates a single backup file with mode 0600', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await openedStore(path, 3);
  mkdirSync(join(folder, 'backups'));
  const target = join(folder, 'backups', 'friday.db');

  const facts = await backUpStore(path, target);

  expect(facts).toMatchObject({
    formatVersion: migrations.length,
    mode: null,
    orders: 3,
    keys: 0,
    games: 0,
    sealed: true,
  });
  expect(facts.bytes).toBe(statSync(target).size);
  expect(readdirSync(join(folder, 'backups'))).toEqual(['friday.db']);
  expect(statSync(target).mode & 0o777).toBe(0o600);
  expect(query(target, 'PRAGMA journal_mode')).toEqual(['delete']);
});

it('includes every order that was acknowledged before the call, with a running server', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await using server = await startServerProcess({ TOPUP_STORE: `file:${path}` });
  const client = createTopupClient({ baseUrl: server.baseUrl, apiKey: sandboxKey, maxRetries: 0 });
  const acknowledged: string[] = [];
  const stop = new AbortController();
  const placing = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) acknowledged.push((await client.orders.create(fixtureOrder)).orderId);
  });
  await vi.waitUntil(() => acknowledged.length >= 40, { timeout: 10_000 });

  const before = [...acknowledged];
  const { orders } = await backUpStore(path, join(folder, 'backup.db'));
  const after = acknowledged.length;
  await vi.waitUntil(() => acknowledged.length >= after + 10, { timeout: 10_000 });
  stop.abort();
  await Promise.all(placing);

  const kept = query(join(folder, 'backup.db'), 'SELECT order_id FROM orders');
  expect(before.filter((orderId) => !kept.includes(orderId))).toEqual([]);
  expect(orders).toBe(kept.length);
}, 30_000);

it("takes a snapshot of the store, and doesn't start again when the store is written", async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await openedStore(path, manyOrders);
  using writer = new DatabaseSync(path);
  const steps: CopyProgress[] = [];

  await backUpStore(path, join(folder, 'backup.db'), {
    onProgress(progress) {
      steps.push(progress);
      // A backup that restarts would never end.
      if (steps.length < 10) writer.exec('UPDATE world SET ahead = ahead + 1');
    },
  });

  expect(steps).toEqual([{ step: 'copying', done: 1_000, total: expect.any(Number) }, { step: 'verifying' }]);
  expect(query(path, 'SELECT ahead FROM world')).toEqual([2]);
  expect(query(join(folder, 'backup.db'), 'SELECT ahead FROM world')).toEqual([0]);
});

it("doesn't replace a file that appeared meanwhile", async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await makeStore(path, 2);
  const target = join(folder, 'backup.db');
  const onProgress = (): void => writeFileSync(target, 'of another backup');

  expect(await rejectionOf(backUpStore(path, target, { onProgress }))).toMatchObject({ problem: 'exists' });
  expect(readFileSync(target, 'utf8')).toBe('of another backup');
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
});

it('leaves no file next to the store after a signal', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await makeStore(path, 2);
  const reason = new Error('the server stops');
  const signal = AbortSignal.abort(reason);
  await expect(backUpBeside(path, { signal })).rejects.toBe(reason);
  expect(readdirSync(folder).filter((name) => name.includes('.backup-'))).toEqual([]);
});

it('replaces an existing backup only with force', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await makeStore(path, 2);
  const target = join(folder, 'backup.db');
  writeFileSync(target, 'last week');

  expect(await rejectionOf(backUpStore(path, target))).toMatchObject({
    problem: 'exists',
    message: `${target} already exists.`,
  });
  expect(readFileSync(target, 'utf8')).toBe('last week');

  await backUpStore(path, target, { force: true });
  expect(countOrders(target)).toBe(2);
});

it.each([
  ['itself', 'topup.db'],
  ['its write-ahead log', 'topup.db-wal'],
  ['its lock', 'topup.db.lock'],
  ['a link to it', 'link.db'],
])('writes no backup over the store: %s', async (_case, name) => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await openedStore(path, 2);
  symlinkSync(path, join(folder, 'link.db'));

  const rejection = await rejectionOf(backUpStore(path, join(folder, name), { force: true }));

  expect(rejection).toMatchObject({ problem: 'own_file' });
  expect(countOrders(path)).toBe(2);
});

it("doesn't overwrite another store that is in use", async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await makeStore(path, 2);
  const other = join(folder, 'other.db');
  await openedStore(other, 1);
  const served = join(folder, 'served.db');
  await makeStore(served, 1);
  using _lock = { [Symbol.dispose]: lockForServer(served, { pid: 4711 }).release };

  expect(await rejectionOf(backUpStore(path, other, { force: true }))).toMatchObject({
    problem: 'unfinished',
  });
  expect((await rejectionOf(backUpStore(path, served, { force: true }))).message).toBe(
    `A server (pid 4711) serves ${served}.`,
  );
});

it('leaves no file when a backup is aborted', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await makeStore(path, manyOrders);
  const stop = new AbortController();
  const options = { signal: stop.signal, onProgress: () => stop.abort('SIGINT') };

  await expect(backUpStore(path, join(folder, 'backup.db'), options)).rejects.toBe('SIGINT');

  expect(readdirSync(folder).filter((name) => !name.startsWith('topup.db'))).toEqual([]);
});

it('rejects a damaged store, and leaves no file', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await makeStore(path, 200);
  const bytes = readFileSync(path);
  // Overwrite the header of a page in the middle: its type and the positions of its cells.
  bytes.fill(0xff, 20 * 4_096, 20 * 4_096 + 12);
  writeFileSync(path, bytes);

  expect(await rejectionOf(backUpStore(path, join(folder, 'backup.db')))).toMatchObject({
    problem: 'damaged',
    message: `${path} is damaged, so no backup was created.`,
  });
  expect(readdirSync(folder).filter((name) => !name.startsWith('topup.db'))).toEqual([]);
});

it('names a missing file or folder, and creates nothing', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');

  expect(await rejectionOf(backUpStore(path, join(folder, 'backup.db')))).toMatchObject({
    problem: 'missing',
    message: `There is no file ${path}.`,
  });
  expect(await rejectionOf(backUpStore(path, join(folder, 'none', 'backup.db')))).toMatchObject({
    problem: 'no_folder',
    message: `There is no folder ${join(folder, 'none')}.`,
  });
  expect(readdirSync(folder)).toEqual([]);
});
