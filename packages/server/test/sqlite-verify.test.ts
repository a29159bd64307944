import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { copyFileSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { backUpStore, verifyBackup } from '../src/sqlite/index.ts';
import { migrations } from '../src/sqlite/migrate.ts';
import { makeStore, openedStore, rejectionOf, tempFolder } from './helpers/store-file.ts';

async function madeBackup(orders = 200): Promise<string> {
  const folder = tempFolder();
  await makeStore(join(folder, 'topup.db'), orders);
  const file = join(folder, 'backup.db');
  await backUpStore(join(folder, 'topup.db'), file);
  return file;
}

it('returns the content of a backup, and does not change the backup', async () => {
  const file = await madeBackup(3);
  const before = readFileSync(file);

  expect(await verifyBackup(file)).toMatchObject({
    formatVersion: migrations.length,
    orders: 3,
    newestOrderAt: Date.UTC(2026, 2, 28, 3) + 2,
    bytes: before.length,
    sealed: true,
  });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(join(file, '..')).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
});

it('detects a changed byte anywhere, even inside a text', async () => {
  const file = await madeBackup();
  const whole = readFileSync(file);
  const noticed: string[] = [];
  const places = 40;

  for (let place = 0; place < places; place += 1) {
    const bytes = Buffer.from(whole);
    const at = Math.floor((place / places) * whole.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x04, at);
    writeFileSync(file, bytes);
    noticed.push((await rejectionOf(verifyBackup(file))).problem);
  }

  // After a change of the first page the file may not be a database any more.
  expect(noticed).toEqual(Array.from({ length: places }, () => expect.stringMatching(/damaged|not_a_store/)));
});

it('detects a truncated file, wherever it was cut', async () => {
  const file = await madeBackup();
  const { length } = readFileSync(file);

  for (const left of [length - 100, length - 4_096, Math.floor(length / 2), 4_096]) {
    truncateSync(file, left);
    expect(await rejectionOf(verifyBackup(file))).toMatchObject({ problem: 'damaged' });
  }
});

it('detects rows that refer to missing rows, in a file without a checksum', async () => {
  const file = join(tempFolder(), 'copy.db');
  await makeStore(file, 1);
  using db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec(
    `PRAGMA journal_mode = DELETE; INSERT INTO history (order_id, version, entry) VALUES ('INV-none', 1, '{}')`,
  );

  expect((await rejectionOf(verifyBackup(file))).message).toBe(
    `${file} is damaged: history: 1 rows refer to missing rows of orders.`,
  );
});

/** Calls back for each process that is started until the test ends. */
function onProcess(started: () => void): void {
  subscribe('child_process', started);
  onTestFinished(() => void unsubscribe('child_process', started));
}

it('reads a small file in the same process', async () => {
  const file = await madeBackup(3);
  const started = vi.fn();
  onProcess(started);
  await verifyBackup(file);
  expect(started).not.toHaveBeenCalled();
});

describe('a file of 5 MB', () => {
  /** Has a row that refers to a missing one. */
  async function largeFile(): Promise<string> {
    const file = join(tempFolder(), 'copy.db');
    await makeStore(file, 1);
    using db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    db.exec(`
      PRAGMA journal_mode = DELETE;
      INSERT INTO history (order_id, version, entry) VALUES ('INV-none', 1, '{}');
      CREATE TABLE ballast (bytes);
      INSERT INTO ballast VALUES (zeroblob(5000000))`);
    return file;
  }

  it('reads a large file in a separate process, with the same result', async () => {
    const file = await largeFile();
    const started = vi.fn();
    onProcess(started);
    expect((await rejectionOf(verifyBackup(file))).message).toBe(
      `${file} is damaged: history: 1 rows refer to missing rows of orders.`,
    );
    expect(started).toHaveBeenCalled();
  });

  it('stops reading a large file on request', async () => {
    const file = await largeFile();
    const stop = new AbortController();
    onProcess(() => stop.abort(new Error('stopped')));
    await expect(verifyBackup(file, { signal: stop.signal })).rejects.toThrow('stopped');
  });
});

it('accepts a plain copy of a closed store as a backup without a checksum', async () => {
  const folder = tempFolder();
  await makeStore(join(folder, 'topup.db'), 2);
  copyFileSync(join(folder, 'topup.db'), join(folder, 'copy.db'));

  expect(await verifyBackup(join(folder, 'copy.db'))).toMatchObject({ orders: 2, sealed: false });
  expect(readdirSync(folder).toSorted()).toEqual(['copy.db', 'topup.db']);
});

it('rejects a store that is in use, because part of its content is in another file', async () => {
  const path = join(tempFolder(), 'topup.db');
  await openedStore(path, 2);
  const link = `${path}-link`;
  symlinkSync(path, link);

  for (const name of [path, link])
    expect(await rejectionOf(verifyBackup(name))).toMatchObject({
      problem: 'unfinished',
      message: `${name} is a store in use, not a backup: part of its content is in ${path}-wal. Back it up first.`,
    });
});

it.each<[string, string, (file: string) => void]>([
  ['no database', 'not_a_store', (file) => writeFileSync(file, 'notes\n'.repeat(1_000))],
  ['an empty file', 'not_a_store', (file) => writeFileSync(file, '')],
  ['another program', 'not_a_store', (file) => new DatabaseSync(file).exec('CREATE TABLE orders (id)')],
  ['a folder', 'is_a_folder', (file) => file],
  ['nothing', 'missing', () => {}],
])('rejects the backup: %s', async (name, problem, make) => {
  const folder = tempFolder();
  const file = name === 'a folder' ? folder : join(folder, 'backup.db');
  make(file);

  expect(await rejectionOf(verifyBackup(file))).toMatchObject({ problem });
});

it('rejects a backup of a newer version', async () => {
  const file = join(tempFolder(), 'backup.db');
  await makeStore(file);
  using db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA user_version = 99');

  expect(await rejectionOf(verifyBackup(file))).toMatchObject({
    problem: 'newer_version',
    message: `${file} was written by a newer version of the kit (format 99; this version supports up to ${migrations.length}).`,
  });
});
