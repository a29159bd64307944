import type { DatabaseSync } from 'node:sqlite';
import { integer } from './columns.ts';
import { applicationId, migrations } from './migrations/index.ts';
import { StoreFileError } from './store-file-error.ts';

interface FileState {
  /** The number of the last migration that was applied. */
  version: number;
  applicationId: number;
  /** How many tables and indexes there are. */
  objects: number;
}

function number(db: DatabaseSync, sql: string): number {
  const [value] = Object.values(db.prepare(sql).get() ?? {});
  return integer({ value: value ?? null }, 'value');
}

const readVersion = (db: DatabaseSync): number => number(db, 'PRAGMA user_version');

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

/** Read in one transaction, because another process may be setting up the same file. */
export function readFileState(db: DatabaseSync): FileState {
  return inTransaction(db, 'BEGIN', () => ({
    version: readVersion(db),
    applicationId: number(db, 'PRAGMA application_id'),
    objects: number(db, 'SELECT count(*) FROM sqlite_schema'),
  }));
}

/** Refuses the file of another program, before anything in it is changed. */
export function refuseUnknownFile(state: FileState, path: string): void {
  const empty = state.version === 0 && state.objects === 0;
  if (!empty && state.applicationId !== applicationId)
    throw new StoreFileError('not_a_store', `${path} is a database of another program.`);
  if (state.version > migrations.length)
    throw new StoreFileError(
      'newer_version',
      `${path} was written by a newer version of the kit (format ${state.version}, this one knows ${migrations.length}).`,
    );
}

/** Applies the migrations that a file lacks, each in a transaction of its own. */
export function migrate(db: DatabaseSync, path: string): void {
  if (readVersion(db) === migrations.length) return;
  for (const [index, sql] of migrations.entries()) {
    const version = index + 1;
    inTransaction(db, 'BEGIN IMMEDIATE', () => {
      // Another process may have applied it while this one waited for the lock.
      if (readVersion(db) >= version) return;
      db.exec(sql);
      db.exec(`PRAGMA user_version = ${version}`);
    });
  }
  // A newer kit may have been here in the meantime.
  refuseUnknownFile(readFileState(db), path);
}
