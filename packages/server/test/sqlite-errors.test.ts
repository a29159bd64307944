import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { another, change, entry, place } from '../../suites/src/store/fixtures.ts';
import {
  bytes,
  DamagedRowError,
  integer,
  integerOrNull,
  json,
  oneOf,
  type Row,
  text,
  textOrNull,
} from '../src/rows/columns.ts';
import { createSqliteStore, isPartOfStore, StoreFileError } from '../src/sqlite/index.ts';
import { setUp, waitWhileBusy } from '../src/sqlite/open-database.ts';
import { readNumber } from '../src/sqlite/run-command.ts';
import { attempt, prepareFile, realPath, statFile } from '../src/sqlite/store-file.ts';
import { concernsOneCommand, explainError, isSafelyUndone } from '../src/sqlite/store-file-error.ts';
import { makeStore, openedStore, tempFolder } from './helpers/store-file.ts';

function problemOf(path: string): StoreFileError {
  try {
    createSqliteStore({ path });
  } catch (error) {
    if (error instanceof StoreFileError) return error;
    throw error;
  }
  throw new Error(`${path} was opened.`);
}

it('creates a folder and a file that only their owner can access', async () => {
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

it('rejects a folder as a store', () => {
  const folder = tempFolder();
  expect(problemOf(folder)).toMatchObject({
    problem: 'is_a_folder',
    message: `${folder} is a folder, not a file.`,
  });
});

it('rejects a file that is not a database without changing it', () => {
  const path = join(tempFolder(), 'notes.txt');
  const notes = 'Not a database, but notes that somebody would miss.\n'.repeat(100);
  writeFileSync(path, notes);
  expect(problemOf(path)).toMatchObject({
    problem: 'not_a_store',
    message: `${path} is not a store of this kit, or it is damaged.`,
  });
  expect(readFileSync(path, 'utf8')).toBe(notes);
});

it("rejects another program's database without changing it", () => {
  const path = join(tempFolder(), 'other.db');
  const other = new DatabaseSync(path);
  other.exec('CREATE TABLE orders (id INTEGER)');
  other.close();
  const before = readFileSync(path);
  expect(problemOf(path)).toMatchObject({ problem: 'not_a_store' });
  expect(problemOf(path).message).toBe(`${path} is a database of another program.`);
  expect(readFileSync(path).equals(before)).toBe(true);
});

it('rejects a device as a store', () => {
  expect(problemOf('/dev/null')).toMatchObject({
    problem: 'not_a_file',
    message: '/dev/null is a device or a pipe, not a file.',
  });
});

it('rejects a link to itself as a store', () => {
  const path = join(tempFolder(), 'topup.db');
  symlinkSync(path, path);
  expect(() => statFile(path)).toThrow(`${path} can't be reached (ELOOP).`);
});

it.each([
  ['a log of 1 byte', 'x', 'missing'],
  ['an empty log', '', undefined],
])('creates no file next to %s unless orders may be in it', (_what, log, problem) => {
  const path = join(tempFolder(), 'topup.db');
  writeFileSync(`${path}-wal`, log);
  if (problem === undefined) prepareFile(path);
  else expect(() => prepareFile(path)).toThrow(expect.objectContaining({ problem }));
  expect(existsSync(path)).toBe(problem === undefined);
});

it('recognises the files of a store by their content', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await openedStore(path, 1);
  writeFileSync(join(folder, 'catalog.json'), '{}');
  writeFileSync(join(folder, 'notes-wal'), 'x');
  writeFileSync(join(folder, 'topup.db-walk'), 'SQLite form');
  symlinkSync(path, join(folder, 'link'));

  const parts = readdirSync(folder).filter((name) => isPartOfStore(join(folder, name)));

  expect(parts.toSorted()).toEqual(['link', 'topup.db', 'topup.db-shm', 'topup.db-wal']);
  for (const suffix of ['.lock', '-journal']) expect(isPartOfStore(path + suffix)).toBe(true);
  expect(isPartOfStore(join(folder, 'none'))).toBe(false);
  expect(isPartOfStore(folder)).toBe(false);
});

it('identifies a file by its real path, even before it exists', () => {
  const folder = tempFolder();
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  onTestFinished(() => unlinkSync(link));
  const path = join(folder, 'topup.db');
  expect(realPath(join(link, 'topup.db'))).toBe(path);
  writeFileSync(path, '');
  expect(realPath(join(link, 'topup.db'))).toBe(path);
  symlinkSync(path, join(folder, 'other'));
  expect(realPath(join(link, 'other'))).toBe(path);
  expect(realPath(join(folder, 'none', 'topup.db'))).toBe(join(folder, 'none', 'topup.db'));
});

it('reports that a folder can not be created', () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  const path = join(file, 'topup.db');
  expect(problemOf(path)).toMatchObject({ problem: 'not_writable' });
  expect(problemOf(path).message).toMatch(`The folder ${file} can't be created (E`);
});

it.skipIf(!existsSync('/proc/self'))('reports that a file can not be created (needs /proc)', () => {
  expect(problemOf('/proc/self/topup.db').message).toBe("/proc/self/topup.db can't be written (ENOENT).");
});

it("reports that the files next to a database can't be created", () => {
  const path = join(tempFolder(), 'topup.db');
  mkdirSync(`${path}-wal`);
  expect(problemOf(path)).toMatchObject({
    problem: 'not_writable',
    message: `${path}, or a file that SQLite needs next to it, can't be written.`,
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

it('names the column of a damaged row, but no content', async () => {
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

const sqliteError = (errcode: number): Error => Object.assign(new Error(`code ${errcode}`), { errcode });
const systemError = (code: string): Error => Object.assign(new Error(code), { code });

// https://www.sqlite.org/rescode.html
it.each([
  [
    'SQLITE_BUSY_SNAPSHOT',
    sqliteError(517),
    'busy',
    'Another process is writing to /data/topup.db; try again.',
    1,
  ],
  [
    'SQLITE_READONLY',
    sqliteError(8),
    'not_writable',
    "/data/topup.db, or a file that SQLite needs next to it, can't be written.",
    null,
  ],
  [
    'SQLITE_IOERR_FSYNC',
    sqliteError(1034),
    'not_writable',
    "/data/topup.db, or a file that SQLite needs next to it, can't be written.",
    null,
  ],
  [
    'SQLITE_CANTOPEN',
    sqliteError(14),
    'not_writable',
    "/data/topup.db, or a file that SQLite needs next to it, can't be written.",
    null,
  ],
  ['SQLITE_CORRUPT', sqliteError(11), 'damaged', '/data/topup.db is damaged.', null],
  ['SQLITE_FULL', sqliteError(13), 'disk_full', 'No space left on the disk of /data.', null],
  [
    'SQLITE_NOTADB',
    sqliteError(26),
    'not_a_store',
    '/data/topup.db is not a store of this kit, or it is damaged.',
    null,
  ],
  ['ENOSPC', systemError('ENOSPC'), 'disk_full', 'No space left on the disk of /data.', null],
  ['EDQUOT', systemError('EDQUOT'), 'disk_full', 'No space left on the disk of /data.', null],
  ['EFBIG', systemError('EFBIG'), 'disk_full', 'No space left on the disk of /data.', null],
  [
    'a damaged row',
    new DamagedRowError('column entry holds no JSON'),
    'damaged',
    '/data/topup.db is damaged: column entry holds no JSON.',
    null,
  ],
])('explains %s to the operator', (_name, error, problem, message, retryAfter) => {
  const explained = explainError(error, '/data/topup.db');
  expect(explained).toBeInstanceOf(StoreFileError);
  expect(explained).toMatchObject({ name: 'StoreFileError', problem, message, retryAfter, cause: error });
});

it.each([sqliteError(19), systemError('EACCES'), new Error('a bug'), 'text', undefined])(
  'explains no other error: %s',
  (error) => {
    expect(explainError(error, 'topup.db')).toBe(error);
  },
);

it.each([
  ['a bug', new Error('a bug'), true, false],
  ['an error without a number', Object.assign(new Error('odd'), { errcode: '13' }), true, false],
  ['no error', { errcode: 13 }, true, false],
  ['SQLITE_CONSTRAINT_CHECK', sqliteError(275), true, false],
  ['SQLITE_TOOBIG', sqliteError(18), true, false],
  ['SQLITE_FULL', sqliteError(13), false, true],
  ['SQLITE_IOERR_WRITE', sqliteError(778), false, true],
  ['SQLITE_IOERR_FSYNC', sqliteError(1034), false, false],
  ['SQLITE_NOMEM', sqliteError(7), false, false],
])(
  'decides whether %s affects only its command, and whether it was certainly undone',
  (_name, error, one, undone) => {
    expect([concernsOneCommand(error), isSafelyUndone(error)]).toEqual([one, undone]);
  },
);

it('names the system error of a file operation, or the error itself', () => {
  const failing = (error: unknown) => () =>
    attempt('topup.db can not be written', () => {
      throw error;
    });
  const own = new StoreFileError('is_a_folder', 'It is a folder.');
  expect(failing(own)).toThrow(own);
  const cause = systemError('EROFS');
  const rejected = { problem: 'not_writable', message: 'topup.db can not be written (EROFS).', cause };
  expect(failing(cause)).toThrow(expect.objectContaining(rejected));
  expect(failing(new Error('a bug'))).toThrow('topup.db can not be written (Error: a bug).');
});

it.each([
  ['text', text, { a: 1 }, 'column a holds an unexpected number'],
  ['a text in a missing column', text, {}, 'column a holds an unexpected undefined'],
  ['an integer', integer, { a: null }, 'column a holds an unexpected null'],
  ['an integer written as text', integer, { a: '1' }, 'column a holds an unexpected string'],
  ['bytes', bytes, { a: 'x' }, 'column a holds an unexpected string'],
  ['text or null', textOrNull, { a: 1 }, 'column a holds an unexpected number'],
  ['an integer or null', integerOrNull, { a: '1' }, 'column a holds an unexpected string'],
  ['JSON', json, { a: '{' }, 'column a holds no JSON'],
  [
    'one of several allowed texts',
    (row: Row, column: string) => oneOf(['x', 'y'], row, column),
    { a: 'z' },
    'column a holds an unknown value',
  ],
])('reports a row without %s as damaged', (_what, read, row, message) => {
  expect(() => read(row, 'a')).toThrow(expect.objectContaining({ name: 'DamagedRowError', message }));
});

it('requires a number from a query that returns a number', () => {
  using db = new DatabaseSync(':memory:');
  expect(readNumber(db, 'SELECT ? + 1', 2)).toBe(3);
  expect(() => readNumber(db, 'SELECT 1 WHERE 0')).toThrow('column value holds an unexpected null');
});

it('rejects a file system without a write-ahead log', () => {
  using db = new DatabaseSync(':memory:');
  expect(() => setUp(db, 'topup.db', { syncFolder: () => {} })).toThrow(
    expect.objectContaining({
      problem: 'not_writable',
      message: "topup.db is on a file system that doesn't support a write-ahead log.",
    }),
  );
});

it('waits for a lock only while the lock exists, and not longer than the limit', () => {
  let tries = 0;
  const failTwice = (code: number) => () => {
    tries += 1;
    if (tries <= 2) throw sqliteError(code);
    return tries;
  };
  expect(waitWhileBusy(failTwice(5))).toBe(3);
  tries = 0;
  expect(() => waitWhileBusy(failTwice(13))).toThrow('code 13');
  expect(tries).toBe(1);
  const locked = (): never => {
    throw sqliteError(5);
  };
  expect(() => waitWhileBusy(locked, 12)).toThrow('code 5');
});

it('accepts no more writes after a read found damage, and reports the damage once', async () => {
  const path = join(tempFolder(), 'topup.db');
  await makeStore(path, 200);
  const changes: (StoreFileError | null)[] = [];
  const store = createSqliteStore({ path, onChange: (failure) => changes.push(failure) });
  onTestFinished(() => store.close());
  const damaged = readFileSync(path);
  for (let page = 30; page * 4_096 < damaged.length; page += 1)
    damaged.fill(0xff, page * 4_096, page * 4_096 + 12);
  writeFileSync(path, damaged);

  const reads = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) => store.findOrder(`INV-${index + 1}`)),
  );
  const errors = reads.flatMap((read) => (read.status === 'rejected' ? [read.reason] : []));
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) expect(error).toMatchObject({ problem: 'damaged', isReported: true });
  await expect(store.placeOrder(place(another('A')))).rejects.toMatchObject({ problem: 'writes_stopped' });
  expect(changes).toMatchObject([
    { message: expect.stringContaining(`${path} is damaged, so nothing more is written to it.`) },
  ]);
});
