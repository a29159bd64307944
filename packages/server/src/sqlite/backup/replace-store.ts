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

/** Rejects a database of another program, whatever lies beside it. A damaged file may be replaced. */
export function rejectOtherProgram(path: string): void {
  if (sizeOf(path) > 0)
    canBeOpened(path, () => new DatabaseSync(databaseUrl(path, { atRest: true }), { readOnly: true }));
}

/** Says of a store's files what changes when somebody writes to them. */
const stateOf = (path: string): string =>
  [path, ...unfinishedParts(path)]
    .map((file) => {
      const { size, mtimeNs } = statSync(file, { bigint: true });
      return `${file} ${size} ${mtimeNs}`;
    })
    .join('\n');

/** Where a store lies while it is copied, so that no half of it gets the name under which it is kept. */
const partOf = (path: string): string => `${path}.keeping`;

/** A file on its way to the place of a log. */
const emptiedOf = (path: string): string => `${path}.emptied`;

/** Deletes what a killed restore left. */
export function removeLeftovers(path: string): void {
  removeDatabase(partOf(path));
  rmSync(emptiedOf(path), { force: true });
}

/**
 * Copies a store with the log that a killed server left, before anything opens it to write: SQLite then merges the log, and nothing
 * shows for certain that a log belongs to the file that it lies beside. Returns the paths of the copies; none without a log.
 */
function copyWithLog(path: string, former: string): string[] {
  const suffixes = unfinishedParts(path).map((part) => part.slice(path.length));
  if (suffixes.length === 0) return [];
  const part = partOf(path);
  const before = stateOf(path);
  try {
    for (const suffix of ['', ...suffixes]) copyDurably(path + suffix, part + suffix);
    if (stateOf(path) !== before) throw usedByOther(path, undefined);
    // The file comes last: its log without it would be in nobody's way.
    for (const suffix of [...suffixes, '']) renameSync(part + suffix, former + suffix);
  } finally {
    removeDatabase(part);
  }
  return ['', ...suffixes].map((suffix) => former + suffix);
}

/** Locks a store and merges its log into the file. SQLite would otherwise apply the old log to the new file. */
function lockWholeStore(db: DatabaseSync, path: string): void {
  try {
    waitWhileBusy(() => db.exec('PRAGMA journal_mode = DELETE'), timeoutMs);
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    throw isBusy(error) ? usedByOther(path, error) : error;
  }
}

/** Copies mode and owner of the old file, so that a server that runs as another user can open the new file. */
function copyOwner(file: string, { mode, uid, gid }: Stats): void {
  chmodSync(file, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

/** Gives a finished file the name of the store. Beside it, SQLite must find nothing of another one. */
function putInPlace(file: string, path: string): void {
  // The index of a log holds nothing of its own.
  rmSync(indexOf(path), { force: true });
  // The old files must be on the disk under their second names before the new one replaces them.
  syncFolder(dirname(path));
  renameSync(file, path);
  syncFolder(dirname(path));
}

/** Under which paths the files of the old store are kept. */
export interface KeptFiles {
  /** The old store; null when there was none. */
  former: string | null;
  /** All of them: the old store, and the log that lay beside it. */
  kept: string[];
}

/** Replaces a store that can be opened. At each moment it is the complete old one or the complete new one. */
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

/** Takes the place of a log that was moved away. For SQLite it is an empty log. */
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
 * Replaces what can't be opened as a store: a damaged file, one beside the log of another, or what is left of one that is gone. No other
 * process can have it open. The log is emptied before the new file comes, and deleted after it: until then no server starts on a log
 * whose file is missing.
 */
function replaceUnusable(path: string, file: string, old: Stats | undefined): KeptFiles {
  const name = keptName(path, 'before');
  const former = old && old.size > 0 ? name : null;
  // A log of another file must not come to lie beside this one.
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
 * Whether a file can be opened as a store with what lies beside it. Opening an empty one would delete the log beside it. It is opened
 * read-only, because SQLite would otherwise merge the log beside a damaged file into it.
 */
const isUsable = (path: string, old: Stats): boolean =>
  old.size > 0 &&
  !isReplaced(path) &&
  canBeOpened(path, () => new DatabaseSync(path, { readOnly: true, timeout: timeoutMs }));

/** Replaces a store that no server has open by a finished file. */
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
