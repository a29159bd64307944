import { renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { normalPhone } from '@topup-kit/core/contract';
import type { ReservedOrder } from '@topup-kit/core/store';
import { syncFolder } from '../files/folders.ts';
import { json, type Row, text } from '../rows/columns.ts';
import { rejectMissing, removeDatabase } from '../sqlite/backup/read-database.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { readNumber } from '../sqlite/run-command.ts';
import { lockAgainstServers, type ServerLock } from '../sqlite/server-lock.ts';
import { attempt, prepareFolder, realPath, sizeOf, statFile } from '../sqlite/store-file.ts';
import { explainError, StoreFileError } from '../sqlite/store-file-error.ts';
import { CopyError, type CopySide, type CopySource, type CopyTarget, type TableRows } from './side.ts';
import { added, type CopiedTable, smallTables } from './tables.ts';

/** Locks the file against servers until the copy ends. */
function lock(path: string): ServerLock {
  try {
    return lockAgainstServers(path, { pid: process.pid, address: 'copying a store' });
  } catch (error) {
    if (error instanceof StoreFileError && error.problem === 'served_already')
      throw new CopyError('served', error.message, { cause: error });
    throw error;
  }
}

const orderOf = ({ key }: CopiedTable): string[] =>
  key.map((column) => (column === added ? 'rowid' : column));

const keyValues = ({ key }: CopiedTable, row: Row): SQLInputValue[] =>
  key.map((column) => row[column] ?? null);

function createSide(db: DatabaseSync, path: string): Pick<CopySide, 'name' | 'count' | 'read'> {
  return {
    name: path,
    count: async ({ name }) => readNumber(db, `SELECT count(*) FROM ${name}`),
    async read(table, after = null, limit = -1) {
      const order = orderOf(table).join(', ');
      const where = after ? `WHERE (${order}) > (${table.key.map(() => '?').join(', ')})` : '';
      const select = `SELECT ${table.columns.join(', ')} FROM ${table.name} ${where} ORDER BY ${order} LIMIT ?`;
      try {
        return db.prepare(select).all(...(after ? keyValues(table, after) : []), limit);
      } catch (error) {
        throw explainError(error, path);
      }
    },
  };
}

export async function openFileSource(path: string): Promise<CopySource> {
  rejectMissing(path);
  const held = lock(path);
  try {
    const db = openDatabase(path);
    return {
      ...createSide(db, path),
      // The lock makes sure of it.
      rejectServed: async () => {},
      async [Symbol.asyncDispose]() {
        db.close();
        held.release();
      },
    };
  } catch (error) {
    held.release();
    throw error;
  }
}

/** Reads whose unfinished copy a database is; null when it is none yet. */
function readCopySource(db: DatabaseSync): string | null {
  if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'copy_source'").get()) return null;
  return text(db.prepare('SELECT name FROM copy_source').get() ?? {}, 'name');
}

/** What a file has in a column of its own, and PostgreSQL in an index. */
function derived({ name }: CopiedTable, row: Row): Row {
  if (name !== 'orders') return {};
  const { contact } = json<Pick<ReservedOrder, 'contact'>>(row, 'details');
  return { customer: normalPhone(contact.whatsapp) };
}

function insertRows(db: DatabaseSync, { table, rows }: TableRows): void {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys({ ...first, ...derived(table, first) });
  const insert = db.prepare(
    `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows) {
    const complete = new Map(Object.entries<Row[string]>({ ...row, ...derived(table, row) }));
    insert.run(...columns.map((column) => complete.get(column) ?? null));
  }
}

function inTransaction(db: DatabaseSync, path: string, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw explainError(error, path);
  }
}

/** Opens an unfinished copy. One of an older format can't be continued. */
function openUnfinished(copy: string): DatabaseSync {
  try {
    return openDatabase(copy);
  } catch (error) {
    if (!(error instanceof StoreFileError) || error.problem !== 'needs_upgrade') throw error;
    throw new CopyError('other_copy', `${copy} is an unfinished copy that an older version made.`, {
      cause: error,
    });
  }
}

/** Opens the file beside the target in which the copy grows. */
function openCopy(copy: string, { source, restart }: { source: string; restart: boolean }) {
  if (!restart) {
    const db = openUnfinished(copy);
    const begun = readCopySource(db);
    if (begun === source) return { db, isBegun: true };
    db.close();
    if (begun !== null)
      throw new CopyError('other_copy', `${copy} is an unfinished copy of ${begun}, not of ${source}.`);
  }
  // It was never begun, or it was complete and stopped before it got its name, which nothing shows.
  removeDatabase(copy);
  return { db: openDatabase(copy), isBegun: false };
}

/** The copy grows in a file beside the target, and gets its name when it is complete. */
export async function openFileTarget(
  path: string,
  options: { source: string; restart: boolean },
): Promise<CopyTarget> {
  prepareFolder(path);
  const place = realPath(path);
  const reject = (): void => {
    if (statFile(place) || sizeOf(`${place}-wal`) > 0)
      throw new CopyError('not_empty', `${place} exists already.`);
  };
  reject();
  const held = lock(place);
  const copy = `${place}.copying`;
  let db: DatabaseSync | undefined;
  try {
    const opened = openCopy(copy, options);
    db = opened.db;
    const file = opened.db;
    return {
      ...createSide(file, copy),
      name: place,
      isBegun: opened.isBegun,
      async begin(small) {
        inTransaction(file, copy, () => {
          for (const { name } of smallTables) file.exec(`DELETE FROM ${name}`);
          for (const rows of small) insertRows(file, rows);
          file.exec('CREATE TABLE copy_source (name TEXT NOT NULL) STRICT');
          file.prepare('INSERT INTO copy_source (name) VALUES (?)').run(options.source);
        });
      },
      insert: async (rows) => inTransaction(file, copy, () => insertRows(file, rows)),
      async last({ name, key }) {
        const order = key.map((column) => `${column} DESC`).join(', ');
        return file.prepare(`SELECT ${key.join(', ')} FROM ${name} ORDER BY ${order} LIMIT 1`).get() ?? null;
      },
      async finish() {
        file.exec('DROP TABLE copy_source');
        // Merges the log, so that the copy is a single file.
        file.exec('PRAGMA journal_mode = DELETE');
        file.close();
        await using written = await open(copy, 'r+');
        await written.sync();
        reject();
        attempt(`${place} can't be written`, () => renameSync(copy, place));
        syncFolder(dirname(place));
        held.releaseReplaced();
      },
      async discard() {
        file.close();
        removeDatabase(copy);
      },
      async [Symbol.asyncDispose]() {
        if (file.isOpen) file.close();
        held.release();
      },
    };
  } catch (error) {
    if (db?.isOpen) db.close();
    held.release();
    throw error;
  }
}
