import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isEmpty, readFileState, rejectUnknownFile } from '../migrate.ts';
import { busyTimeout } from '../open-database.ts';
import { sizeOf, statFile } from '../store-file.ts';
import { explainError, StoreFileError } from '../store-file-error.ts';
import { databaseUrl } from './long-queries.ts';

/** What SQLite keeps beside a database: changes not in it yet, or how to undo changes that are. */
const withContent = ['-wal', '-journal'];

/** All that can stand beside a database, by what its name ends with. */
const sideFiles = [...withContent, '-shm'];

/** The files without which a database is not what its writers left. */
export const unfinishedParts = (path: string): string[] =>
  withContent.map((suffix) => path + suffix).filter((file) => sizeOf(file) > 0);

/** Rejects a file which is only a part of a database. */
export function rejectUnfinishedFile(path: string): void {
  const [part] = unfinishedParts(path);
  if (part !== undefined)
    throw new StoreFileError(
      'unfinished',
      `${path} is a store in use, not a backup: a part of it is in ${part}. Back it up first.`,
    );
}

/** All the files of a database, whether or not they are there. */
export const filesOf = (path: string): string[] => [path, ...sideFiles.map((suffix) => path + suffix)];

/** Removes a database that nobody has open. */
export function removeDatabase(path: string): void {
  for (const file of filesOf(path)) rmSync(file, { force: true });
}

/** Rejects a file that is not there. */
export function rejectMissing(path: string): void {
  if (!statFile(path)) throw new StoreFileError('missing', `There is no file ${path}.`);
}

function rejectNoStore(db: DatabaseSync, path: string): void {
  const state = readFileState(db);
  if (isEmpty(state)) throw new StoreFileError('not_a_store', `${path} is empty, so it is no store.`);
  rejectUnknownFile(state, path);
}

/** A transaction sees the moment of its first read, whatever is written after. */
function pinSnapshot(db: DatabaseSync): void {
  db.exec('BEGIN');
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}

async function read<Result>(
  path: string,
  open: () => DatabaseSync,
  work: (db: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> {
  try {
    using db = open();
    rejectNoStore(db, path);
    return await work(db);
  } catch (error) {
    throw explainError(error, path);
  }
}

/** Reads one moment of a store that others may be writing; the file is neither made nor migrated nor changed. */
export async function readStore<Result>(
  path: string,
  work: (db: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> {
  rejectMissing(path);
  return read(
    path,
    () => new DatabaseSync(path, { readOnly: true, timeout: busyTimeout }),
    (db) => {
      pinSnapshot(db);
      return work(db);
    },
  );
}

/** Reads a store's file that nobody writes, such as a backup; no file appears beside it. */
export async function readAtRest<Result>(
  path: string,
  work: (db: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> {
  rejectMissing(path);
  rejectUnfinishedFile(path);
  const location = databaseUrl(path, { atRest: true });
  return read(path, () => new DatabaseSync(location, { readOnly: true }), work);
}
