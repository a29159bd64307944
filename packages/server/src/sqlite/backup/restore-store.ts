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
import { isReplaced } from '../served-file.ts';
import { findServer, lockAgainstServers, type ServerLock } from '../server-lock.ts';
import { attempt, prepareFolder, realPath, sizeOf, statFile } from '../store-file.ts';
import { explainError, isBusy, StoreFileError, sqliteCode, sqliteCodes } from '../store-file-error.ts';
import { belongsToStore } from './back-up-store.ts';
import { type CopyOptions, copyDatabase } from './copy-database.ts';
import { readAtRest, rejectMissing, removeDatabase, unfinishedParts } from './read-database.ts';
import { type BackupFacts, verifyBackup } from './verify-backup.ts';

/** Maximum time to wait for another command that uses the store, in milliseconds. */
const timeoutMs = 1_000;

const isUnreadable = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code === sqliteCodes.notADatabase || code === sqliteCodes.corrupt;
};

const usedByOther = (path: string, cause: unknown): StoreFileError =>
  new StoreFileError('in_use', `Another program has ${path} open, perhaps another topup command.`, { cause });

/**
 * Locks the store and merges its write-ahead log into the file. SQLite would otherwise apply the old log to the new
 * file.
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
 * Whether a file can be opened as a store. Rejects a database of another program. The file is opened read-only, because
 * SQLite would otherwise merge the log beside a damaged file into it.
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

/** Locks the store; returns null for a file that is too damaged to be opened, which no other process can have open either. */
function lockUnlessDamaged(path: string): DatabaseSync | null {
  if (!canBeOpened(path)) return null;
  try {
    return lockWholeStore(path);
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw explainError(error, path);
  }
}

/** The current time in the form `20261120T145501Z`. */
const timeInName = (): string => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');

function formerName(path: string): string {
  const name = `${path}.before-${timeInName()}`;
  let free = name;
  for (let count = 2; existsSync(free); count += 1) free = `${name}-${count}`;
  return free;
}

/** Keeps a file under a second name by a hard link, so that the first name never goes missing. Copies it where links are not supported. */
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

/** Copies mode and owner of the old file, so that a server that runs as another user can open the new file. */
function copyOwner(file: string, { mode, uid, gid }: Stats): void {
  chmodSync(file, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

/** Moves the log of a store that was not opened too, because SQLite would apply it to the new file. */
function moveParts(path: string, former: string): void {
  for (const part of unfinishedParts(path)) renameSync(part, former + part.slice(path.length));
  rmSync(`${path}-shm`, { force: true });
}

function replace(path: string, file: string, old: Stats): string {
  const hasOtherLog = isReplaced(path);
  const db = hasOtherLog ? null : lockUnlessDamaged(path);
  try {
    const former = formerName(path);
    keepAs(path, former);
    // A log of another file must not come to lie beside this one.
    if (db === null) moveParts(path, hasOtherLog ? `${former}.other` : former);
    copyOwner(file, old);
    // The old file must be on the disk under its second name before the new one replaces it.
    syncFolder(dirname(path));
    renameSync(file, path);
    syncFolder(dirname(path));
    return former;
  } finally {
    db?.close();
  }
}

/**
 * Replaces a store that no server has open by a finished file. If it is interrupted, the store is either the complete
 * old one or the complete new one. Returns the path of the old store; null when there was none.
 */
function replaceStoreFile(path: string, file: string): string | null {
  const old = statFile(path);
  return attempt(`${path} can't be replaced`, () => {
    if (old && (old.size > 0 || unfinishedParts(path).length > 0)) return replace(path, file, old);
    renameSync(file, path);
    syncFolder(dirname(path));
    return null;
  });
}

export interface Restored extends BackupFacts {
  /** Path of the previous store, which is kept; null when there was none. */
  former: string | null;
}

/** Rejects to replace a store that a server has open. */
export function assertNotServed(path: string): void {
  const server = findServer(path);
  if (!server) return;
  const name = [`pid ${server.pid}`, server.address].filter(Boolean).join(', ');
  throw new StoreFileError('served_already', `A server (${name}) serves ${path}, so it can't be replaced.`);
}

/** Rejects a backup that is the store itself or belongs to it. */
export function assertNotOwnFile(backup: string, path: string): void {
  if (belongsToStore(backup, path))
    throw new StoreFileError('own_file', `${backup} belongs to the store that is to be replaced.`);
}

function lockFor(path: string): ServerLock {
  try {
    return lockAgainstServers(path, { pid: process.pid, address: 'restoring a backup' });
  } catch (error) {
    assertNotServed(path);
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
  // Rejects a database of another program before the long work. A damaged store may be replaced.
  if (sizeOf(path) > 0 && !isReplaced(path)) canBeOpened(path);
  const copy = `${path}.restoring`;
  // A killed restore may have left a copy.
  removeDatabase(copy);
  try {
    const facts = await copyVerified(backup, copy, options);
    return { ...facts, former: replaceStoreFile(path, copy) };
  } finally {
    removeDatabase(copy);
  }
}

/**
 * Replaces a store by a verified copy of a backup. The old store is kept beside it under another name. No server can
 * start on the store meanwhile. If the work is interrupted, the store is either the complete old one or the complete
 * new one.
 *
 * @throws StoreFileError when a server or another program has the store open, or the backup is damaged. The store is
 *   then unchanged.
 * @example
 * const { orders, former } = await restoreStore('backups/friday.db', './data/topup.db');
 */
export async function restoreStore(
  backup: string,
  path: string,
  options: CopyOptions = {},
): Promise<Restored> {
  rejectMissing(backup);
  assertNotOwnFile(backup, path);
  // Checked first, so that no lock file is created beside a folder or a device.
  statFile(path);
  prepareFolder(path);
  const place = realPath(path);
  const lock = lockFor(place);
  try {
    const restored = await restoreLocked(backup, place, options);
    lock.releaseReplaced();
    return restored;
  } finally {
    lock.release();
  }
}
