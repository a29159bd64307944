import { dirname } from 'node:path';
import { syncFolder } from '../files/folders.ts';
import { isEmpty, prepareTables, readFileState, rejectOldFormat, rejectUnknownFile } from './migrate.ts';
import { DatabaseSync } from './node-sqlite.ts';
import { type LogFile, openLog, rewriteLog } from './rewrite-log.ts';
import { rejectReplacedFile } from './served-file.ts';
import { attempt, prepareFile, realPath } from './store-file.ts';
import { explainError, isBusy, StoreFileError } from './store-file-error.ts';

/** Maximum time to wait for other processes while a file is opened, in milliseconds. */
export const busyTimeout = 5000;

/** Orders that are polled are anywhere in the file. SQLite's own 2 MiB hold the pages of a few hundred of them. */
const cacheKibibytes = 32 * 1_024;

const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/** Retries a statement that fails at once, instead of waiting, while the file is locked. Gives up after `timeoutMs`. */
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
  /** Opens the log that another process left, to write it again; only of a server. */
  openOldLog?: () => LogFile | null;
}

/** Sets how a connection writes. A server has to write the log again that another process left. */
export function setModes(
  db: DatabaseSync,
  path: string,
  openOldLog?: (() => LogFile | null) | undefined,
): void {
  // When two processes open a new file at once, the change of mode by one may lock out the other.
  waitWhileBusy(() => useWriteAheadLog(db, path));
  // Each commit waits for the disk, so that an acknowledged order is never lost.
  db.exec('PRAGMA synchronous = FULL');
  // What is deleted or erased is overwritten, because it may be of a customer.
  db.exec('PRAGMA secure_delete = ON');
  if (openOldLog) rewriteLog(db, path, openOldLog);
}

/** Makes a connection that of a store: one of the newest format. An empty file gets its tables. */
export function setUp(db: DatabaseSync, path: string, files: StoreFiles): void {
  const state = readFileState(db);
  rejectUnknownFile(state, path);
  if (!isEmpty(state)) rejectOldFormat(state, path);
  setModes(db, path, files.openOldLog);
  prepareTables(db, path);
  // SQLite ignores a failed sync of the folder; a power cut could then take away the whole log.
  attempt(`The folder of ${path} can't be synced`, files.syncFolder);
}

/**
 * Opens the database file of a store. Creates a missing file or folder. A server takes the file over from one that may have stopped
 * because of its disk.
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
      // The copies of pages by which a single command is undone stay in memory, instead of a temporary file for nearly each
      // transaction.
      db.exec('PRAGMA temp_store = MEMORY');
      db.exec(`PRAGMA cache_size = ${-cacheKibibytes}`);
      // From now on nothing waits for a lock on the event loop: see group-commit.ts.
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
