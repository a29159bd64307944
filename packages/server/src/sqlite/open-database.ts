import { dirname } from 'node:path';
import { syncFolder } from '../files/folders.ts';
import { isEmpty, prepareTables, readFileState, rejectOldFormat, rejectUnknownFile } from './migrate.ts';
import { DatabaseSync } from './node-sqlite.ts';
import { type LogFile, openLog, rewriteLog } from './rewrite-log.ts';
import { rejectReplacedFile } from './served-file.ts';
import { attempt, prepareFile, realPath } from './store-file.ts';
import { explainError, isBusy, StoreFileError } from './store-file-error.ts';

/** Maximum time to wait for other processes while opening a file, in milliseconds. */
export const busyTimeout = 5000;

/** Size of the page cache. Polled orders are spread over the file, and SQLite's default of 2 MiB fits the pages of only a few hundred. */
const cacheKibibytes = 32 * 1_024;

const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/** Repeats a statement while the file is locked, because the statement fails immediately instead of waiting. Gives up after `timeoutMs`. */
export function waitWhileBusy<Result>(work: () => Result, timeoutMs = busyTimeout): Result {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      Atomics.wait(sleepCell, 0, 0, 5);
    }
  }
}

function useWriteAheadLog(db: DatabaseSync, path: string): void {
  const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  if (mode !== 'wal')
    throw new StoreFileError(
      'not_writable',
      `${path} is on a file system that doesn't support a write-ahead log.`,
    );
}

interface StoreFiles {
  syncFolder(): void;
  /** Opens the log of another process to write it again. Only a server needs this. */
  openOldLog?: () => LogFile | null;
}

/** Sets how a connection writes. A server must write the previous process's log again. */
export function setModes(
  db: DatabaseSync,
  path: string,
  openOldLog?: (() => LogFile | null) | undefined,
): void {
  // If two processes open a new file together, the change of mode by one process may lock out the other.
  waitWhileBusy(() => useWriteAheadLog(db, path));
  // Each commit waits for the disk, so that an acknowledged order is never lost.
  db.exec('PRAGMA synchronous = FULL');
  // Deleted and erased data is overwritten, because it may be customer data.
  db.exec('PRAGMA secure_delete = ON');
  if (openOldLog) rewriteLog(db, path, openOldLog);
}

/** Prepares a connection for a store in the newest format. An empty file gets its tables. */
export function setUp(db: DatabaseSync, path: string, files: StoreFiles): void {
  const state = readFileState(db);
  rejectUnknownFile(state, path);
  if (!isEmpty(state)) rejectOldFormat(state, path);
  setModes(db, path, files.openOldLog);
  prepareTables(db, path);
  // SQLite ignores a failed sync of the folder, and a power cut could then remove the whole log.
  attempt(`The folder of ${path} can't be synced`, files.syncFolder);
}

/**
 * Opens a store's database file. Creates a missing file or folder. A server takes the file over from a server that may have stopped because
 * of its disk.
 *
 * @throws StoreFileError `needs_upgrade` for a store of an older format.
 * @example
 * const db = openDatabase('./data/topup.db');
 */
export function openDatabase(path: string, { takeOver = false } = {}): DatabaseSync {
  prepareFile(path);
  rejectReplacedFile(path);
  try {
    const db = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: true });
    try {
      setUp(db, path, {
        syncFolder: () => syncFolder(dirname(realPath(path))),
        ...(takeOver && { openOldLog: () => openLog(path) }),
      });
      // The page copies that undo a single command stay in memory, instead of a temporary file for almost every transaction.
      db.exec('PRAGMA temp_store = MEMORY');
      db.exec(`PRAGMA cache_size = ${-cacheKibibytes}`);
      // No lock blocks the event loop from now on: see group-commit.ts.
      db.exec('PRAGMA busy_timeout = 0');
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw explainError(error, path);
  }
}
