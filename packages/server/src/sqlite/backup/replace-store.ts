import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFolder } from '../../files/folders.ts';
import { copyDurably, keptName, linkOrCopy } from '../keep-file.ts';
import { readFileState, rejectForeignFile } from '../migrate.ts';
import { waitWhileBusy } from '../open-database.ts';
import { isReplaced } from '../served-file.ts';
import { attempt, indexOf, sizeOf, statFile, unfinishedParts } from '../store-file.ts';
import { explainError, isBusy, StoreFileError, sqliteCode, sqliteCodes } from '../store-file-error.ts';
import { databaseUrl } from './long-queries.ts';
import { removeDatabase } from './read-database.ts';

/** Maximum time to wait for another command that uses the store, in milliseconds. */
const timeoutMs = 1_000;

const isUnreadable = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code === sqliteCodes.notADatabase || code === sqliteCodes.corrupt;
};

const usedByOther = (path: string, cause: unknown): StoreFileError =>
  new StoreFileError('in_use', `Another program has ${path} open, perhaps another topup command.`, { cause });

function canBeOpened(path: string, open: () => DatabaseSync): boolean {
  try {
    using db = open();
    rejectForeignFile(readFileState(db), path);
    return true;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw explainError(error, path);
  }
}

/** Rejects another program's database, whatever files are next to it. A damaged file may be replaced. */
export function rejectOtherProgram(path: string): void {
  if (sizeOf(path) > 0)
    canBeOpened(path, () => new DatabaseSync(databaseUrl(path, { atRest: true }), { readOnly: true }));
}

/** Describes a store's files; any write changes the result. */
const stateOf = (path: string): string =>
  [path, ...unfinishedParts(path)]
    .map((file) => {
      const { size, mtimeNs } = statSync(file, { bigint: true });
      return `${file} ${size} ${mtimeNs}`;
    })
    .join('\n');

/** Returns the path for an unfinished copy of a store, so that no partial copy gets the final name. */
const partOf = (path: string): string => `${path}.keeping`;

/** Returns the path of a file that will replace a log. */
const emptiedOf = (path: string): string => `${path}.emptied`;

/** Deletes leftovers of a killed restore. */
export function removeLeftovers(path: string): void {
  removeDatabase(partOf(path));
  rmSync(emptiedOf(path), { force: true });
}

/**
 * Copies a store with the log of a killed server, before any process opens the store to write: SQLite would merge the log, and nothing
 * proves that a log belongs to the file next to it. Returns the paths of the copies; empty if there is no log.
 */
function copyWithLog(path: string, former: string): string[] {
  const suffixes = unfinishedParts(path).map((part) => part.slice(path.length));
  if (suffixes.length === 0) return [];
  const part = partOf(path);
  const before = stateOf(path);
  try {
    for (const suffix of ['', ...suffixes]) copyDurably(path + suffix, part + suffix);
    if (stateOf(path) !== before) throw usedByOther(path, undefined);
    // The file comes last, because a log without its file does no harm.
    for (const suffix of [...suffixes, '']) renameSync(part + suffix, former + suffix);
  } finally {
    removeDatabase(part);
  }
  return ['', ...suffixes].map((suffix) => former + suffix);
}

/** Locks a store and merges its log into the file. Otherwise SQLite would apply the old log to the new file. */
function lockWholeStore(db: DatabaseSync, path: string): void {
  try {
    waitWhileBusy(() => db.exec('PRAGMA journal_mode = DELETE'), timeoutMs);
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    throw isBusy(error) ? usedByOther(path, error) : error;
  }
}

/** Copies the mode and owner of the old file, so that a server that another user runs can open the new file. */
function copyOwner(file: string, { mode, uid, gid }: Stats): void {
  chmodSync(file, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

/** Renames a finished file to the store's name. SQLite must find no files of another store next to it. */
function putInPlace(file: string, path: string): void {
  // A log's index contains no data of its own.
  rmSync(indexOf(path), { force: true });
  // The second names of the old files must be on the disk before the new file replaces the old files.
  syncFolder(dirname(path));
  renameSync(file, path);
  syncFolder(dirname(path));
}

/** Paths of the kept files of the old store. */
export interface KeptFiles {
  /** The old store; null if there was none. */
  former: string | null;
  /** All kept files: the old store and its log. */
  kept: string[];
}

/** Replaces a store that can be opened. At any time, either the complete old store or the complete new store exists. */
function replaceLocked(
  path: string,
  file: string,
  old: Stats,
  kept: { former: string; copies: string[] },
): void {
  using db = new DatabaseSync(path, { timeout: timeoutMs });
  lockWholeStore(db, path);
  if (kept.copies.length === 0) linkOrCopy(path, kept.former);
  copyOwner(file, old);
  putInPlace(file, path);
}

/** Text that replaces a log that was moved away. SQLite reads it as an empty log. */
const emptied = 'A restore has moved this log away.\n';

function empty(log: string, file: string): void {
  const opened = openSync(file, 'w', 0o600);
  try {
    writeSync(opened, emptied);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(file, log);
}

/**
 * Replaces a file that can't be opened as a store: a damaged file, a file with another store's log, or the remains of a lost store. No
 * other process can have it open. The log is emptied before the new file is put in place, and deleted afterwards: until then, no server
 * starts on a log without its file.
 */
function replaceUnusable(path: string, file: string, old: Stats | undefined): KeptFiles {
  const name = keptName(path, 'before');
  const former = old && old.size > 0 ? name : null;
  // Another file's log must not end up next to this file.
  const logName = former !== null && isReplaced(path) ? `${name}.other` : name;
  const logs = unfinishedParts(path).map((log) => ({ log, name: logName + log.slice(path.length) }));
  if (former !== null) linkOrCopy(path, former);
  for (const { log, name } of logs) linkOrCopy(log, name);
  syncFolder(dirname(path));
  for (const { log } of logs) empty(log, emptiedOf(path));
  if (old) copyOwner(file, old);
  putInPlace(file, path);
  for (const { log } of logs) rmSync(log);
  return { former, kept: [...(former === null ? [] : [former]), ...logs.map(({ name }) => name)] };
}

/**
 * Tells whether a file can be opened as a store with the files next to it. An empty file is not opened, because this would delete its log.
 * The file is opened read-only, because SQLite would otherwise merge the log into a damaged file.
 */
const isUsable = (path: string, old: Stats): boolean =>
  old.size > 0 &&
  !isReplaced(path) &&
  canBeOpened(path, () => new DatabaseSync(path, { readOnly: true, timeout: timeoutMs }));

/** Replaces a store that no server has open with a finished file. */
export function replaceStoreFile(path: string, file: string): KeptFiles {
  const old = statFile(path);
  return attempt(`${path} can't be replaced`, () => {
    rejectOtherProgram(path);
    if (!old || !isUsable(path, old)) return replaceUnusable(path, file, old);
    const former = keptName(path, 'before');
    const copies = copyWithLog(path, former);
    try {
      replaceLocked(path, file, old, { former, copies });
      return { former, kept: copies.length === 0 ? [former] : copies };
    } catch (error) {
      if (isUnreadable(error)) {
        const rest = replaceUnusable(path, file, old);
        return { ...rest, kept: [...copies, ...rest.kept] };
      }
      for (const copy of copies) rmSync(copy);
      throw explainError(error, path);
    }
  });
}
