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
import { syncFolder } from '../../folders.ts';
import { readFileState, rejectForeignFile } from '../migrate.ts';
import { waitWhileBusy } from '../open-database.ts';
import { findServer, lockAgainstServers, type ServerLock } from '../server-lock.ts';
import { attempt, prepareFolder, realPath, sizeOf, statFile } from '../store-file.ts';
import { explainError, isBusy, StoreFileError, sqliteCode, sqliteCodes } from '../store-file-error.ts';
import { belongsToStore } from './back-up-store.ts';
import { type CopyOptions, copyDatabase } from './copy-database.ts';
import { readAtRest, rejectMissing, removeDatabase, unfinishedParts } from './read-database.ts';
import { type BackupFacts, verifyBackup } from './verify-backup.ts';

/** How long to wait for another command on the store, in milliseconds. */
const timeoutMs = 1_000;

const isUnreadable = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code === sqliteCodes.notADatabase || code === sqliteCodes.corrupt;
};

const usedByOther = (path: string, cause: unknown): StoreFileError =>
  new StoreFileError('in_use', `Another program has ${path} open, perhaps another topup command.`, { cause });

/**
 * Locks the store and brings all of it into one file. SQLite would apply a write-ahead log that stayed behind to the
 * new file.
 */
function lockWholeStore(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: timeoutMs });
  try {
    waitWhileBusy(() => db.exec('PRAGMA journal_mode = DELETE'), timeoutMs);
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    throw isBusy(error) ? usedByOther(path, error) : error;
  }
}

/**
 * Whether a file can be opened as a store at all; rejects another program's database. Read-only, because SQLite would
 * otherwise merge the log beside a damaged file into it.
 */
function canBeOpened(path: string): boolean {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: timeoutMs });
    rejectForeignFile(readFileState(db), path);
    return true;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw explainError(error, path);
  }
}

/** Null for a file that is too damaged to be opened; then nobody else has it open either. */
function lockUnlessDamaged(path: string): DatabaseSync | null {
  if (!canBeOpened(path)) return null;
  try {
    return lockWholeStore(path);
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

/** Links the file under a second name, so that the first never goes missing; copies it where links are unknown. */
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

/** Moves the log of a damaged store too, or SQLite would apply it to the new file. */
function moveParts(path: string, former: string): void {
  for (const part of unfinishedParts(path)) renameSync(part, former + part.slice(path.length));
  rmSync(`${path}-shm`, { force: true });
}

function replace(path: string, file: string, there: Stats): string {
  const db = lockUnlessDamaged(path);
  try {
    const former = formerName(path);
    keepAs(path, former);
    if (db === null) moveParts(path, former);
    takeOwner(file, there);
    // The kept file must be on the disk before the new one takes its name.
    syncFolder(dirname(path));
    renameSync(file, path);
    syncFolder(dirname(path));
    return former;
  } finally {
    db?.close();
  }
}

/**
 * Puts a finished file in the place of a store that no server holds. If it is interrupted, the store is the old one or
 * the new one, whole. Returns where the old one is kept; null when there was none.
 */
function replaceStoreFile(path: string, file: string): string | null {
  const there = statFile(path);
  return attempt(`${path} can't be replaced`, () => {
    if (there && (there.size > 0 || unfinishedParts(path).length > 0)) return replace(path, file, there);
    renameSync(file, path);
    syncFolder(dirname(path));
    return null;
  });
}

export interface Restored extends BackupFacts {
  /** Where the store that was there before is kept; null when there was none. */
  former: string | null;
}

/** Refuses to replace a store that a server has open. */
export function refuseServed(path: string): void {
  const server = findServer(path);
  if (!server) return;
  const who = [`pid ${server.pid}`, server.address].filter(Boolean).join(', ');
  throw new StoreFileError('served_already', `A server (${who}) serves ${path}, so it can't be replaced.`);
}

/** Refuses to put a store, or a part of it, in its own place. */
export function refuseOwnFile(backup: string, path: string): void {
  if (belongsToStore(backup, path))
    throw new StoreFileError('own_file', `${backup} belongs to the store that is to be replaced.`);
}

function lockFor(path: string): ServerLock {
  try {
    return lockAgainstServers(path, { pid: process.pid, address: 'restoring a backup' });
  } catch (error) {
    refuseServed(path);
    throw error;
  }
}

async function copyVerified(backup: string, copy: string, options: CopyOptions): Promise<BackupFacts> {
  const facts = await verifyBackup(backup, options);
  await readAtRest(backup, (db) => copyDatabase(db, copy, options));
  await verifyBackup(copy, options);
  return facts;
}

async function restoreLocked(backup: string, path: string, options: CopyOptions): Promise<Restored> {
  // Rejects another program's database before the long work; a damaged store may be replaced.
  if (sizeOf(path) > 0) canBeOpened(path);
  const copy = `${path}.restoring`;
  // A restore that was killed may have left one.
  removeDatabase(copy);
  try {
    const facts = await copyVerified(backup, copy, options);
    return { ...facts, former: replaceStoreFile(path, copy) };
  } finally {
    removeDatabase(copy);
  }
}

/**
 * Puts a verified copy of a backup in the place of a store, which is kept under another name beside it. No server can
 * start on the store meanwhile; if the work is interrupted, the store is the old one or the new one, whole.
 *
 * @throws StoreFileError when a server or another program has the store open, or the backup is not whole; then the
 *   store is as it was.
 * @example
 * const { orders, former } = await restoreStore('backups/friday.db', './data/topup.db');
 */
export async function restoreStore(
  backup: string,
  path: string,
  options: CopyOptions = {},
): Promise<Restored> {
  rejectMissing(backup);
  refuseOwnFile(backup, path);
  // Before a lock file is made beside something that is no file.
  statFile(path);
  prepareFolder(path);
  const place = realPath(path);
  const lock = lockFor(place);
  try {
    return await restoreLocked(backup, place, options);
  } finally {
    lock.release();
  }
}
