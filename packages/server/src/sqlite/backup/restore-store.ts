import { prepareFolder, sizeOf, statFile } from '../prepare-file.ts';
import { findServer, lockAgainstServers, realPath, type ServerLock } from '../server-lock.ts';
import { StoreFileError } from '../store-file-error.ts';
import { belongsToStore } from './back-up-store.ts';
import { type CopyOptions, copyDatabase } from './copy-database.ts';
import { readAtRest, refuseMissing } from './read-database.ts';
import { canBeOpened, replaceStoreFile } from './replace-store-file.ts';
import { removeDatabase } from './side-files.ts';
import { type BackupFacts, verifyBackup } from './verify-backup.ts';

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
  // Refuses another program's database before the long work; a damaged store is what a backup is for.
  if (sizeOf(path) > 0) canBeOpened(path);
  const copy = `${path}.restoring`;
  // What a restore that was killed has left is nobody's any more.
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
 * start on the store meanwhile; whenever the work is cut short, the store is the old one or the new one, whole.
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
  refuseMissing(backup);
  refuseOwnFile(backup, path);
  // Before a lock is left beside what is no file.
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
