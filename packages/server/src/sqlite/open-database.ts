import { DatabaseSync } from 'node:sqlite';
import { explainError } from './explain-error.ts';
import { migrate, readFileState, refuseUnknownFile } from './migrate.ts';
import { prepareFile } from './prepare-file.ts';
import { isBusy } from './sqlite-codes.ts';
import { StoreFileError } from './store-file-error.ts';

/** How long a command waits for another process that writes, in milliseconds. */
export const busyTimeout = 5000;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** For what SQLite refuses at once instead of waiting by itself; gives up after `patience` milliseconds. */
export function waitWhileBusy<Result>(work: () => Result, patience = busyTimeout): Result {
  const end = performance.now() + patience;
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
  refuseUnknownFile(readFileState(db), path);
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
