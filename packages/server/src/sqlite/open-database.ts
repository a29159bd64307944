import { DatabaseSync } from 'node:sqlite';
import { migrate, readFileState, rejectUnknownFile } from './migrate.ts';
import { prepareFile } from './store-file.ts';
import { explainError, isBusy, StoreFileError } from './store-file-error.ts';

/** How long a command waits for another process that writes, in milliseconds. */
export const busyTimeout = 5000;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** For statements that fail at once instead of waiting for the lock; gives up after `timeoutMs`. */
export function waitWhileBusy<Result>(work: () => Result, timeoutMs = busyTimeout): Result {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

function useWriteAheadLog(db: DatabaseSync, path: string): void {
  const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  if (mode !== 'wal')
    throw new StoreFileError(
      'not_writable',
      `${path} is on a file system that can't hold a write-ahead log.`,
    );
}

function setUp(db: DatabaseSync, path: string): void {
  rejectUnknownFile(readFileState(db), path);
  // Of two processes that open a new file at once, one may find it locked by the other's change of mode.
  waitWhileBusy(() => useWriteAheadLog(db, path));
  // Each commit waits until the disk has it: an order that was answered is never lost.
  db.exec('PRAGMA synchronous = FULL');
  migrate(db, path);
}

/**
 * Opens a store's database file and brings its tables up to date; a missing file or folder is made.
 *
 * @example
 * const db = openDatabase('./data/topup.db');
 */
export function openDatabase(path: string): DatabaseSync {
  prepareFile(path);
  try {
    const db = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: true });
    try {
      setUp(db, path);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw explainError(error, path);
  }
}
