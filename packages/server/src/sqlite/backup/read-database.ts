import { DatabaseSync } from 'node:sqlite';
import { explainError } from '../explain-error.ts';
import { isEmpty, readFileState, refuseUnknownFile } from '../migrate.ts';
import { busyTimeout } from '../open-database.ts';
import { statFile } from '../prepare-file.ts';
import { StoreFileError } from '../store-file-error.ts';
import { locationOf } from './query-apart.ts';
import { refuseUnfinishedFile } from './side-files.ts';

/** Refuses a file that is not there. */
export function refuseMissing(path: string): void {
  if (!statFile(path)) throw new StoreFileError('missing', `There is no file ${path}.`);
}

function refuseNoStore(db: DatabaseSync, path: string): void {
  const state = readFileState(db);
  if (isEmpty(state)) throw new StoreFileError('not_a_store', `${path} is empty, so it is no store.`);
  refuseUnknownFile(state, path);
}

/** A transaction sees the moment of its first read, whatever is written after. */
function holdMoment(db: DatabaseSync): void {
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
    refuseNoStore(db, path);
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
  refuseMissing(path);
  return read(
    path,
    () => new DatabaseSync(path, { readOnly: true, timeout: busyTimeout }),
    (db) => {
      holdMoment(db);
      return work(db);
    },
  );
}

/** Reads a store's file that nobody writes, such as a backup; no file appears beside it. */
export async function readAtRest<Result>(
  path: string,
  work: (db: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> {
  refuseMissing(path);
  refuseUnfinishedFile(path);
  const location = locationOf(path, { atRest: true });
  return read(path, () => new DatabaseSync(location, { readOnly: true }), work);
}
