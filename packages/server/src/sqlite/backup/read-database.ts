import { rmSync } from 'node:fs';
import { type FileState, isEmpty, readFileState, rejectOldFormat, rejectUnknownFile } from '../migrate.ts';
import { DatabaseSync } from '../node-sqlite.ts';
import { busyTimeout } from '../open-database.ts';
import { rejectReplacedFile } from '../served-file.ts';
import { filesOf, rejectLostFile, statFile, unfinishedParts } from '../store-file.ts';
import { explainError, StoreFileError } from '../store-file-error.ts';
import { databaseUrl } from './long-queries.ts';

/** Rejects a database if a part of its content is in another file. */
export function rejectUnfinishedFile(path: string): void {
  const [part] = unfinishedParts(path);
  if (part !== undefined)
    throw new StoreFileError(
      'unfinished',
      `${path} is a store in use, not a backup: part of its content is in ${part}. Back it up first.`,
    );
}

/** Deletes a database that no process has open. */
export function removeDatabase(path: string): void {
  for (const file of filesOf(path)) rmSync(file, { force: true });
}

/** Rejects a missing file, even if its log exists. */
export function rejectMissing(path: string): void {
  rejectLostFile(path);
  if (!statFile(path)) throw new StoreFileError('missing', `There is no file ${path}.`);
}

function rejectOtherFile(state: FileState, path: string): void {
  if (isEmpty(state)) throw new StoreFileError('not_a_store', `${path} is empty, so it is not a store.`);
  rejectUnknownFile(state, path);
}

/** Starts a transaction and its snapshot, which hides later writes by other processes. */
function pinSnapshot(db: DatabaseSync): void {
  db.exec('BEGIN');
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}

async function read<Result>(
  path: string,
  open: () => DatabaseSync,
  work: (db: DatabaseSync, state: FileState) => Result | Promise<Result>,
): Promise<Result> {
  try {
    using db = open();
    const state = readFileState(db);
    rejectOtherFile(state, path);
    return await work(db, state);
  } catch (error) {
    throw explainError(error, path);
  }
}

/** Reads from one snapshot of a store of any format while other processes may write to it. Never creates, upgrades or changes the file. */
export async function readStore<Result>(
  path: string,
  work: (db: DatabaseSync, state: FileState) => Result | Promise<Result>,
): Promise<Result> {
  rejectMissing(path);
  rejectReplacedFile(path);
  return read(
    path,
    () => new DatabaseSync(path, { readOnly: true, timeout: busyTimeout }),
    (db, state) => {
      pinSnapshot(db);
      return work(db, state);
    },
  );
}

/** Reads like {@link readStore}, but only the newest format. */
export const readNewestStore = <Result>(
  path: string,
  work: (db: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> =>
  readStore(path, (db, state) => {
    rejectOldFormat(state, path);
    return work(db);
  });

/** Reads a store file to which no process writes, such as a backup. Creates no files next to it. */
export async function readAtRest<Result>(
  path: string,
  work: (db: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> {
  rejectMissing(path);
  rejectUnfinishedFile(path);
  const location = databaseUrl(path, { atRest: true });
  return read(path, () => new DatabaseSync(location, { readOnly: true }), work);
}
