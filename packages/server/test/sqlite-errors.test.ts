import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { another, change, entry, place } from '../../core/src/store/suite/fixtures.ts';
import { createSqliteStore, StoreFileError } from '../src/sqlite/index.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'topup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function problemOf(path: string): StoreFileError {
  try {
    createSqliteStore({ path });
  } catch (error) {
    if (error instanceof StoreFileError) return error;
    throw error;
  }
  throw new Error(`${path} was opened.`);
}

it('creates folder and file for their owner only', async () => {
  const folder = join(tempFolder(), 'data', 'shop');
  const path = join(folder, 'topup.db');
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, '..')).mode & 0o777).toBe(0o700);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('keeps the mode of an existing folder and file', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  writeFileSync(path, '');
  chmodSync(folder, 0o750);
  chmodSync(path, 0o640);
  await createSqliteStore({ path }).close();
  expect(statSync(folder).mode & 0o777).toBe(0o750);
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

it('rejects a folder', () => {
  const folder = tempFolder();
  expect(problemOf(folder)).toMatchObject({
    problem: 'is_a_folder',
    message: `${folder} is a folder, not a file.`,
  });
});

it('rejects a file that is not a database, and does not change it', () => {
  const path = join(tempFolder(), 'notes.txt');
  const notes = 'Not a database, but notes that somebody would miss.\n'.repeat(100);
  writeFileSync(path, notes);
  expect(problemOf(path)).toMatchObject({
    problem: 'not_a_store',
    message: `${path} is not a store of this kit, or it is damaged.`,
  });
  expect(readFileSync(path, 'utf8')).toBe(notes);
});

it('rejects a database of another program, and does not change it', () => {
  const path = join(tempFolder(), 'other.db');
  const other = new DatabaseSync(path);
  other.exec('CREATE TABLE orders (id INTEGER)');
  other.close();
  const before = readFileSync(path);
  expect(problemOf(path)).toMatchObject({ problem: 'not_a_store' });
  expect(problemOf(path).message).toBe(`${path} is a database of another program.`);
  expect(readFileSync(path).equals(before)).toBe(true);
});

it('reports that a folder can not be created', () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  const path = join(file, 'topup.db');
  expect(problemOf(path)).toMatchObject({ problem: 'not_writable' });
  expect(problemOf(path).message).toMatch(`The folder ${file} can't be created (E`);
});

it('reports that the files beside a database can not be created', () => {
  const path = join(tempFolder(), 'topup.db');
  mkdirSync(`${path}-wal`);
  expect(problemOf(path)).toMatchObject({
    problem: 'not_writable',
    message: `${path}, or a file that SQLite needs beside it, can't be written.`,
  });
});

// Root may write everywhere.
it.skipIf(process.getuid?.() === 0)(
  'reports that a folder or a file can not be written (skipped for root, who may write anywhere)',
  () => {
    const folder = join(tempFolder(), 'shut');
    mkdirSync(folder);
    const path = join(folder, 'topup.db');
    chmodSync(folder, 0o500);
    expect(problemOf(path).message).toBe(`${path} can't be written (EACCES).`);
    expect(existsSync(path)).toBe(false);
    chmodSync(folder, 0o700);
    writeFileSync(path, '', { mode: 0o400 });
    expect(problemOf(path).message).toBe(`${path} can't be written (EACCES).`);
  },
);

it('names the column of a damaged row, and nothing of its content', async () => {
  const path = join(tempFolder(), 'topup.db');
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());
  await store.placeOrder(place(another('A')));
  await store.changeOrder(change({ entry: entry() }));
  using db = new DatabaseSync(path);
  db.exec(`UPDATE history SET entry = 'the phone 0812-CANARY'`);
  await expect(store.findHistory(another('A').orderId)).rejects.toMatchObject({
    problem: 'damaged',
    message: `${path} is damaged: column entry holds no JSON.`,
    cause: expect.not.objectContaining({ message: expect.stringContaining('CANARY') }),
  });
});
