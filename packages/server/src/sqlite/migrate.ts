import type { DatabaseSync } from 'node:sqlite';
import { firstTables } from './migrations/001-first-tables.ts';
import { promoOrigin } from './migrations/002-promo-origin.ts';
import { display } from './migrations/003-display.ts';
import { unknownUnits } from './migrations/004-unknown-units.ts';
import { callbacks } from './migrations/005-callbacks.ts';
import { orderCounts } from './migrations/006-order-counts.ts';
import { keyLifetime } from './migrations/007-key-lifetime.ts';
import { orderLists } from './migrations/008-order-lists.ts';
import { refunds } from './migrations/010-refunds.ts';
import { readNumber } from './read-number.ts';
import { StoreFileError } from './store-file-error.ts';

/** Marks a database file as a store of this kit: `topu` in ASCII. */
export const applicationId = 0x746f_7075;

/** The n-th migration brings a file to version n. A released migration must never change. */
export const migrations: readonly string[] = [
  firstTables,
  promoOrigin,
  display,
  unknownUnits,
  callbacks,
  orderCounts,
  keyLifetime,
  orderLists,
  refunds,
];

interface FileState {
  /** The number of the last migration that was applied. */
  version: number;
  applicationId: number;
  /** The number of tables and indexes. */
  objects: number;
}

const readVersion = (db: DatabaseSync): number => readNumber(db, 'PRAGMA user_version');

function inTransaction<Result>(db: DatabaseSync, begin: string, work: () => Result): Result {
  db.exec(begin);
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Reads the state in one transaction, because another process may be setting up the same file. */
export function readFileState(db: DatabaseSync): FileState {
  return inTransaction(db, 'BEGIN', () => ({
    version: readVersion(db),
    applicationId: readNumber(db, 'PRAGMA application_id'),
    objects: readNumber(db, 'SELECT count(*) FROM sqlite_schema'),
  }));
}

/** Whether a file has no tables yet. */
export const isEmpty = ({ version, objects }: FileState): boolean => version === 0 && objects === 0;

/** Rejects a database of another program. */
export function rejectForeignFile(state: FileState, path: string): void {
  if (!isEmpty(state) && state.applicationId !== applicationId)
    throw new StoreFileError('not_a_store', `${path} is a database of another program.`);
}

/** Rejects a database of another program or of a newer version, before anything in it is changed. */
export function rejectUnknownFile(state: FileState, path: string): void {
  rejectForeignFile(state, path);
  if (state.version > migrations.length)
    throw new StoreFileError(
      'newer_version',
      `${path} was written by a newer version of the kit (format ${state.version}, this one knows ${migrations.length}).`,
    );
}

/** Applies the missing migrations, each in its own transaction. */
export function migrate(db: DatabaseSync, path: string): void {
  if (readVersion(db) === migrations.length) return;
  for (const [index, sql] of migrations.entries()) {
    const version = index + 1;
    inTransaction(db, 'BEGIN IMMEDIATE', () => {
      // Another process may have applied this migration while this one waited for the lock.
      if (readVersion(db) >= version) return;
      db.exec(sql);
      db.exec(`PRAGMA user_version = ${version}`);
    });
  }
  // A process with a newer version may have migrated the file in the meantime.
  rejectUnknownFile(readFileState(db), path);
}
