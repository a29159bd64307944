import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { explainError } from '../explain-error.ts';
import { readFileState, refuseForeignFile } from '../migrate.ts';
import { waitWhileBusy } from '../open-database.ts';
import { attempt, statFile, syncFolder } from '../prepare-file.ts';
import { isBusy, sqliteCode, sqliteCodes } from '../sqlite-codes.ts';
import { StoreFileError } from '../store-file-error.ts';
import { unfinishedParts } from './side-files.ts';

/** Another command on the store is over in less (milliseconds). */
const patience = 1_000;

const isUnreadable = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code === sqliteCodes.notADatabase || code === sqliteCodes.corrupt;
};

const openElsewhere = (path: string, cause: unknown): StoreFileError =>
  new StoreFileError('in_use', `Another program has ${path} open, perhaps another topup command.`, { cause });

/**
 * Opens the store so that nobody else can, and brings all of it into its one file: a write-ahead log that was left
 * beside another file would be taken for that one's, and one that another program still had open would be too.
 */
function closeToOthers(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: patience });
  try {
    waitWhileBusy(() => db.exec('PRAGMA journal_mode = DELETE'), patience);
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    throw isBusy(error) ? openElsewhere(path, error) : error;
  }
}

/**
 * Whether a file can be opened as a store at all; refuses another program's database. Read-only, because what is
 * beside a damaged file would else be merged into it.
 */
export function canBeOpened(path: string): boolean {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: patience });
    refuseForeignFile(readFileState(db), path);
    return true;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw explainError(error, path);
  }
}

/** Null for a file so damaged that it can't be opened; then nobody else has it open either. */
function closeToOthersOrNull(path: string): DatabaseSync | null {
  if (!canBeOpened(path)) return null;
  try {
    return closeToOthers(path);
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw explainError(error, path);
  }
}

/** `20261120T145501Z` */
const timeInName = (): string => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');

function formerName(path: string): string {
  const name = `${path}.before-${timeInName()}`;
  let free = name;
  for (let count = 2; existsSync(free); count += 1) free = `${name}-${count}`;
  return free;
}

/** A second name for a file, so that there is no moment without one; a copy where the disk knows no such names. */
function keepAs(path: string, former: string): void {
  try {
    linkSync(path, former);
  } catch {
    copyFileSync(path, former, constants.COPYFILE_EXCL);
    const copy = openSync(former, 'r+');
    fsyncSync(copy);
    closeSync(copy);
  }
}

/** A server that runs as another user must be able to open the new file as it did the old one. */
function takeOwner(file: string, { mode, uid, gid }: Stats): void {
  chmodSync(file, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

/** What of a damaged store is beside its file goes with it, before a new file could take it for its own. */
function moveParts(path: string, former: string): void {
  for (const part of unfinishedParts(path)) renameSync(part, former + part.slice(path.length));
  rmSync(`${path}-shm`, { force: true });
}

function replace(path: string, file: string, there: Stats): string {
  const db = closeToOthersOrNull(path);
  try {
    const former = formerName(path);
    keepAs(path, former);
    if (db === null) moveParts(path, former);
    takeOwner(file, there);
    // What was kept must be on the disk before its name is given away.
    syncFolder(dirname(path));
    renameSync(file, path);
    syncFolder(dirname(path));
    return former;
  } finally {
    db?.close();
  }
}

/**
 * Puts a finished file in the place of a store that no server holds. Whenever it is cut short, the store is the old one
 * or the new one, whole. Returns where the old one is kept; null when there was none.
 */
export function replaceStoreFile(path: string, file: string): string | null {
  const there = statFile(path);
  return attempt(`${path} can't be replaced`, () => {
    if (there && (there.size > 0 || unfinishedParts(path).length > 0)) return replace(path, file, there);
    renameSync(file, path);
    syncFolder(dirname(path));
    return null;
  });
}
