import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { bundled } from '../../../test/shared.ts';
import {
  createSqliteStore,
  inspectStore,
  lockForServer,
  openStore,
  readCompletionNames,
  readConfig,
  readStoreInfo,
  restoreStore,
  startServer,
  upgradeStore,
  verifyBackup,
} from '../src/internal.ts';
import { migrations } from '../src/sqlite/migrate.ts';
import { formats, keptStore } from './formats/formats.ts';
import { rowsOf, schemaOf } from './formats/rows.ts';
import { liveParts } from './helpers/live-parts.ts';
import { query, rejectionOf, tempFolder } from './helpers/store-file.ts';
import { killUpgrade, runUpgrade } from './helpers/upgrade-kill.ts';

const program = await bundled(new URL('helpers/upgrade.ts', import.meta.url));

const formatOf = (name: string) => {
  const format = formats.find((one) => one.name === name);
  if (!format) throw new Error(`no form ${name}`);
  return format;
};

/** A store of the last format before this one, or of another form. */
function oldStore(form = 'sqlite-8'): { folder: string; path: string; bytes: Buffer } {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  const bytes = keptStore(formatOf(form));
  writeFileSync(path, bytes);
  return { folder, path, bytes };
}

const address = (path: string) => ({ kind: 'file', path }) as const;

const serve = (path: string, mode: 'live' | 'sandbox') =>
  startServer(
    readConfig({ TOPUP_MODE: mode, TOPUP_STORE: `file:${path}`, PORT: '0', TOPUP_LOG_LEVEL: 'silent' }),
    // A live server needs providers of its own; nothing is asked of them.
    mode === 'live' ? liveParts : {},
  );

/** Without the log and its index, which reading makes. */
const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .toSorted();

/** Nothing has touched the store, and nothing lies beside it but a lock. */
function expectUntouched({ folder, path, bytes }: ReturnType<typeof oldStore>): void {
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(namesIn(folder).filter((name) => name !== 'topup.db.lock')).toEqual(['topup.db']);
}

it("doesn't upgrade a store in other commands, which name the upgrade command and change nothing", async () => {
  const store = oldStore();
  const { path } = store;
  const message = `${path} has format 8 and needs an upgrade to format ${migrations.length}: topup db upgrade --store file:${path}`;

  expect(() => openStore(address(path))).toThrow(message);
  for (const read of [inspectStore(path), readCompletionNames(path)])
    expect(await rejectionOf(read)).toMatchObject({ problem: 'needs_upgrade', message });

  expect(await readStoreInfo(path)).toMatchObject({ formatVersion: 8, mode: 'sandbox', orders: 6, keys: 2 });
  expectUntouched(store);
});

it.each(formats.filter(({ engine }) => engine === 'sqlite').map(({ name, version }) => [name, version]))(
  'reads the facts of a store of the form %s without an upgrade',
  async (name, version) => {
    const store = oldStore(name);
    expect(await readStoreInfo(store.path)).toMatchObject({
      ...{ formatVersion: version, mode: 'sandbox', orders: 6, keys: 2, games: 1 },
    });
    expectUntouched(store);
  },
);

it('copies the store before an upgrade, verifies the copy, and puts the format and the time into its name', async () => {
  const { folder, path } = oldStore();
  const [rows, schema] = [rowsOf(path), schemaOf(path)];
  const planned: unknown[] = [];

  const upgrade = await upgradeStore(address(path), { onStart: (upgrade) => planned.push(upgrade) });

  expect(planned).toEqual([upgrade]);
  expect(upgrade?.copy).toMatch(new RegExp(`^${path}\\.format-8-\\d{8}T\\d{6}Z$`));
  const copy = upgrade?.copy ?? '';
  expect(namesIn(folder)).toEqual(['topup.db', copy.slice(folder.length + 1), 'topup.db.lock']);
  expect(await verifyBackup(copy)).toMatchObject({ formatVersion: 8, orders: 6, sealed: true });
  expect([rowsOf(copy), schemaOf(copy)]).toEqual([rows, schema]);
  expect(query(copy, 'PRAGMA application_id')).toEqual(query(path, 'PRAGMA application_id'));

  // The way back, for the version that wrote it.
  await restoreStore(copy, path);
  query(path, "DELETE FROM revisions WHERE name IN ('restored_at', 'backed_up_at', 'backup_alert_since')");
  expect([rowsOf(path), schemaOf(path)]).toEqual([rows, schema]);
});

it('neither changes nor copies a store of the newest format', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await createSqliteStore({ path }).close();
  const bytes = readFileSync(path);
  expect(await upgradeStore(address(path))).toBe(null);
  expectUntouched({ folder, path, bytes });
});

it("doesn't upgrade a store of another mode, neither in a server nor in a command with a mode", async () => {
  const store = oldStore();
  const message = "The store belongs to a sandbox server and can't serve live mode";
  await expect(serve(store.path, 'live')).rejects.toThrow(message);
  await expect(upgradeStore(address(store.path), { mode: 'live' })).rejects.toThrow(message);
  expectUntouched(store);
  expect((await upgradeStore(address(store.path), { mode: 'sandbox' }))?.from).toBe(8);
});

it("doesn't upgrade a store that a server has open", async () => {
  const store = oldStore();
  const lock = lockForServer(store.path, { pid: 4711, address: '127.0.0.1:4000' });
  onTestFinished(() => lock.release());
  const message = `Another server (pid 4711, 127.0.0.1:4000) already serves ${store.path}.`;
  expect(await rejectionOf(upgradeStore(address(store.path)))).toMatchObject({ message });
  expect(await rejectionOf(serve(store.path, 'sandbox'))).toMatchObject({ message });
  expectUntouched(store);
});

it('starts no server during an upgrade', async () => {
  const { path } = oldStore();
  const tried: string[] = [];
  await upgradeStore(address(path), {
    onProgress() {
      expect(() => lockForServer(path, { pid: 1 })).toThrow(`pid ${process.pid}, upgrading the store`);
      tried.push('rejected');
    },
  });
  expect(tried).not.toEqual([]);
});

it("upgrades and copies a killed server's log together with the store", async () => {
  const { folder, path } = oldStore();
  using open = new DatabaseSync(path);
  open.exec(`PRAGMA journal_mode = WAL; UPDATE world SET ahead = 4711`);
  const left = join(folder, 'left.db');
  for (const suffix of ['', '-wal']) writeFileSync(left + suffix, readFileSync(path + suffix));

  const upgrade = await upgradeStore(address(left));

  for (const file of [left, upgrade?.copy ?? ''])
    expect(query(file, 'SELECT ahead FROM world')).toEqual([4711]);
});

it('leaves the store and its files unchanged if the last migration fails, and upgrades when the obstacle is gone', async () => {
  const { folder, path } = oldStore('sqlite-5');
  const obstacle = 'CREATE TABLE store_identity (of_another_program)';
  {
    using db = new DatabaseSync(path);
    db.exec(obstacle);
  }
  const [rows, schema] = [rowsOf(path), schemaOf(path)];

  await expect(upgradeStore(address(path))).rejects.toThrow('store_identity already exists');

  expect([rowsOf(path), schemaOf(path)]).toEqual([rows, schema]);
  expect(query(path, 'PRAGMA user_version')).toEqual([5]);
  expect(namesIn(folder)).toEqual(['topup.db', 'topup.db.lock']);

  using db = new DatabaseSync(path);
  db.exec('DROP TABLE store_identity');
  expect((await upgradeStore(address(path)))?.from).toBe(5);
});

it("doesn't upgrade a damaged store", async () => {
  const { folder, path } = oldStore();
  {
    using db = new DatabaseSync(path);
    db.exec(
      "PRAGMA foreign_keys = OFF; INSERT INTO history (order_id, version, entry) VALUES ('INV-gone', 1, '{}')",
    );
  }
  const bytes = readFileSync(path);
  expect(await rejectionOf(upgradeStore(address(path)))).toMatchObject({
    problem: 'damaged',
    message: `${path} is damaged, so it was not upgraded.`,
  });
  expectUntouched({ folder, path, bytes });
});

it("doesn't start an upgrade without enough space on the disk", async () => {
  const store = oldStore();
  const nodeOptions = ['--import', new URL('helpers/little-room.ts', import.meta.url).href];
  const { said } = await runUpgrade({ program }, store.path, { nodeOptions });
  expect(JSON.parse(said)).toEqual({
    problem: 'disk_full',
    message: `An upgrade of ${store.path} needs 1 MB on its disk, and 0 MB are free. Nothing was changed.`,
  });
  expectUntouched(store);
});

it('leaves the store and its files unchanged if a write fails during an upgrade (needs ulimit)', () => {
  // For the copy, and for the log of the upgrade, which is larger than the store.
  const limits = {
    'sqlite-8': () => 64,
    'sqlite-1b': (bytes: Buffer) => Math.ceil(bytes.length / 1_024) + 8,
  };
  for (const [form, limit] of Object.entries(limits)) {
    const store = oldStore(form);
    const blocks = limit(store.bytes);
    const script = `ulimit -S -f ${blocks}; trap "" XFSZ; exec "$0" "$@"`;
    const { stdout } = spawnSync('bash', ['-c', script, process.execPath, program, store.path], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toMatchObject({ problem: expect.stringMatching(/disk_full|not_writable/) });
    expect(query(store.path, 'PRAGMA user_version')).toEqual([formatOf(form).version]);
    expect(query(store.path, 'PRAGMA integrity_check')).toEqual(['ok']);
    expect(namesIn(store.folder)).toEqual(['topup.db', 'topup.db.lock']);
  }
});

// `pnpm soak upgrade` kills upgrades of all forms, at each point and at random moments.
it('leaves the complete old or new store if an upgrade is killed at some points', async () => {
  const folder = tempFolder();
  const fresh = join(folder, 'fresh.db');
  await createSqliteStore({ path: fresh }).close();
  const killed = { format: formatOf('sqlite-5a'), folder, program, fresh: schemaOf(fresh) };
  const nodeOptions = ['--import', new URL('helpers/kill-at.ts', import.meta.url).href];
  const found: string[] = [];
  let wasKilled = true;
  for (let point = 4; wasKilled; point += 14) {
    const environment = { KILL_AT: String(point) };
    const outcome = await killUpgrade(killed, `at-${point}`, { nodeOptions, environment });
    wasKilled = outcome.wasKilled;
    if (wasKilled) found.push(outcome.left);
  }
  expect(found.length).toBeGreaterThan(2);
  expect(found[0]).toBe('old');
}, 60_000);
