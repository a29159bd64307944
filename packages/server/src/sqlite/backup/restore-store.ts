import { lstatSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from '../node-sqlite.ts';
import { readNumber } from '../run-command.ts';
import { findServer, lockAgainstServers, type ServerLock } from '../server-lock.ts';
import { prepareFolder, realPath, statFile } from '../store-file.ts';
import { StoreFileError } from '../store-file-error.ts';
import { belongsToStore } from './back-up-store.ts';
import { type CopyOptions, copyDatabase, syncFile } from './copy-database.ts';
import { readAtRest, rejectMissing, removeDatabase } from './read-database.ts';
import { type KeptFiles, rejectOtherProgram, removeLeftovers, replaceStoreFile } from './replace-store.ts';
import { type BackupInfo, verifyBackup } from './verify-backup.ts';

export interface RestoreOptions extends CopyOptions {
  /** Operator for the activity of the store. By default, the activity doesn't mention the restore. */
  operator?: string | undefined;
}

export interface RestoreResult extends BackupInfo, KeptFiles {}

export function assertNoServerRunning(path: string): void {
  const server = findServer(path);
  if (!server) return;
  const name = [`pid ${server.pid}`, server.address].filter(Boolean).join(', ');
  throw new StoreFileError('served_already', `A server (${name}) serves ${path}, so it can't be replaced.`);
}

/** Rejects a backup that is the store itself or one of its files. */
export function assertBackupIsNotStore(backup: string, path: string): void {
  if (belongsToStore(backup, path))
    throw new StoreFileError('own_file', `${backup} belongs to the store that the restore replaces.`);
}

function lockFor(path: string): ServerLock {
  try {
    return lockAgainstServers(path, { pid: process.pid, address: 'restoring a backup' });
  } catch (error) {
    assertNoServerRunning(path);
    throw error;
  }
}

async function copyFrom(backup: string, copy: string, options: CopyOptions): Promise<BackupInfo> {
  const verified = await verifyBackup(backup, options);
  await readAtRest(backup, (db) => copyDatabase(db, copy, options));
  await verifyBackup(copy, options);
  return verified;
}

async function copyVerified(backup: string, copy: string, options: CopyOptions): Promise<BackupInfo> {
  const before = statFile(backup);
  const [copied] = await Promise.allSettled([copyFrom(backup, copy, options)]);
  // Checked first, because reading two files as one always finds an error.
  const after = statFile(backup);
  if (before?.ino !== after?.ino || before?.mtimeMs !== after?.mtimeMs)
    throw new StoreFileError('damaged', `${backup} was changed while it was restored.`);
  if (copied.status === 'rejected') throw copied.reason;
  return copied.value;
}

/**
 * Records the restore. The server buys nothing automatically for orders in the backup from this time on, even if this machine's clock is
 * slow. The backup also becomes the last backup of the new store, as old as its file; but this restore delays the alert, because an
 * operator is at work. Older formats lack these tables.
 */
function noteRestored(copy: string, backup: string, operator: string | undefined): void {
  using db = new DatabaseSync(copy);
  const has = (...tables: string[]): boolean =>
    tables.every((name) => readNumber(db, 'SELECT count(*) FROM sqlite_schema WHERE name = ?', name) > 0);
  const now = Date.now();
  if (has('revisions', 'world'))
    db.prepare(
      `INSERT INTO revisions (name, value)
       SELECT 'restored_at', max(?1 + ahead, (SELECT coalesce(max(created_at), 0) + 1 FROM orders)) FROM world
       UNION ALL SELECT 'backed_up_at', ?2 UNION ALL SELECT 'backup_alert_since', ?1 WHERE true
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    ).run(now, Math.min(now, Math.floor(statSync(backup).mtimeMs)));
  if (operator !== undefined && has('activity'))
    db.prepare(
      `INSERT INTO activity (at, operator, action, subject) VALUES (?, ?, 'backup.restored', ?)`,
    ).run(now, operator, basename(backup));
}

async function restoreLocked(backup: string, path: string, options: RestoreOptions): Promise<RestoreResult> {
  // Checked before the long work.
  rejectOtherProgram(path);
  const copy = `${path}.restoring`;
  // Left by a killed restore.
  removeDatabase(copy);
  removeLeftovers(path);
  try {
    const restored = await copyVerified(backup, copy, options);
    noteRestored(copy, backup, options.operator);
    await syncFile(copy);
    return { ...restored, ...replaceStoreFile(path, copy) };
  } finally {
    removeDatabase(copy);
  }
}

/**
 * Replaces a store with a verified copy of a backup. The old store is kept next to it under another name. No server can start on the store
 * in the meantime. After an interruption, the store is either the complete old store or the complete new store.
 *
 * @throws StoreFileError if a server or another program has the store open, or the backup is damaged. The store is
 *   then unchanged.
 * @example
 * const { orders, former } = await restoreStore('backups/friday.db', './data/topup.db');
 */
export async function restoreStore(
  backup: string,
  path: string,
  options: RestoreOptions = {},
): Promise<RestoreResult> {
  rejectMissing(backup);
  // Checked first, so that no lock file is created next to a folder or a device.
  const store = statFile(path);
  if (!store && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new StoreFileError('missing', `${path} is a link to a missing file. Its disk may not be mounted.`);
  assertBackupIsNotStore(backup, path);
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
