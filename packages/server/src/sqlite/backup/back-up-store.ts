import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { syncFolder } from '../../files/folders.ts';
import { keptName } from '../keep-file.ts';
import { findServer } from '../server-lock.ts';
import { attempt, filesOf, logOf, realPath, sizeOf, statFile } from '../store-file.ts';
import { explainError, StoreFileError } from '../store-file-error.ts';
import { type CopyOptions, copyDatabase } from './copy-database.ts';
import { readStore, rejectUnfinishedFile, removeDatabase } from './read-database.ts';
import { type BackupInfo, seal, verifyBackup } from './verify-backup.ts';

export interface BackupOptions extends CopyOptions {
  /** True if an existing file may be replaced. Default: false. */
  force?: boolean | undefined;
}

const isSameFile = (path: string, other: string): boolean => {
  const [stats, otherStats] = [path, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return stats !== undefined && stats.ino === otherStats?.ino && stats.dev === otherStats.dev;
};

/** Tells whether a file is the store itself, or one of its files. */
export function belongsToStore(file: string, path: string): boolean {
  const store = realPath(path);
  return [...filesOf(store), `${store}.lock`].includes(realPath(file)) || isSameFile(file, store);
}

function rejectFolder(target: string): void {
  const folder = dirname(resolve(target));
  if (
    !attempt(`${folder} can't be reached`, () => statSync(folder, { throwIfNoEntry: false }))?.isDirectory()
  )
    throw new StoreFileError('no_folder', `There is no folder ${folder}.`);
}

function rejectServedTarget(target: string): void {
  const server = findServer(target);
  if (server) throw new StoreFileError('in_use', `A server (pid ${server.pid}) serves ${target}.`);
}

function rejectTarget(target: string, path: string, force: boolean): void {
  rejectFolder(target);
  if (belongsToStore(target, path))
    throw new StoreFileError('own_file', `${target} belongs to the store that the backup copies.`);
  const exists = statFile(target) !== undefined;
  if (exists && !force) throw new StoreFileError('exists', `${target} already exists.`);
  // Checked even if the file is missing, because SQLite would apply such a file to the backup.
  rejectUnfinishedFile(target);
  if (exists) rejectServedTarget(target);
}

/** Reports damage of the copy as damage of the store, from which it was copied. */
function blameStore(error: unknown, path: string, consequence: string): unknown {
  if (!(error instanceof StoreFileError) || error.problem !== 'damaged') return error;
  return new StoreFileError('damaged', `${path} is damaged, so ${consequence}.`, { cause: error });
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000).toLocaleString('en')} MB`;

/** Rejects work that needs room for this many times the size of the store with its log. */
export function rejectFullDisk(path: string, { parts, what }: { parts: number; what: string }): void {
  const folder = dirname(path);
  const { bavail, bsize } = attempt(`${folder} can't be reached`, () => statfsSync(folder));
  const [needed, free] = [parts * (sizeOf(path) + sizeOf(logOf(path))), bavail * bsize];
  if (free < needed)
    throw new StoreFileError(
      'disk_full',
      `${what} of ${path} needs ${inMegabytes(needed)} on its disk, and ${inMegabytes(free)} are free. Nothing was changed.`,
    );
}

/** Copies a store into a new file, seals it and verifies it. `consequence` names the work that a damaged store prevents. */
export async function createBackup(
  path: string,
  file: string,
  consequence: string,
  options: CopyOptions,
): Promise<BackupInfo> {
  try {
    await readStore(path, (db) => copyDatabase(db, file, options));
    await seal(file, options.signal);
    return await verifyBackup(file, options);
  } catch (error) {
    throw blameStore(explainError(error, file), path, consequence);
  }
}

/**
 * Backs up a store while a server may be writing to it. The result is one verified file with every order acknowledged before the call.
 *
 * @throws StoreFileError if the backup fails. No file remains then, and none remains after an abort.
 * @example
 * const { bytes, orders } = await backUpStore('./data/topup.db', 'backups/friday.db');
 */
export async function backUpStore(
  path: string,
  target: string,
  options: BackupOptions = {},
): Promise<BackupInfo> {
  const force = options.force === true;
  rejectTarget(target, path, force);
  const place = realPath(target);
  const part = `${place}.${randomBytes(4).toString('hex')}.part`;
  try {
    const backup = await createBackup(path, part, 'no backup was created', options);
    // Another process may have created the target in the meantime.
    rejectTarget(target, path, force);
    attempt(`${target} can't be written`, () => renameSync(part, place));
    syncFolder(dirname(place));
    return backup;
  } finally {
    removeDatabase(part);
  }
}

/** Matches files that a killed {@link backUpBeside} may leave. Their names contain a time, unlike names that an operator chooses. */
const leftover = /^\.backup-\d{8}T\d{6}Z(-\d+)?\.[0-9a-f]{8}\.part(-wal|-journal|-shm)?$/;

function removePartsBeside(place: string): void {
  const [folder, name] = [dirname(place), basename(place)];
  for (const file of readdirSync(folder))
    if (file.startsWith(name) && leftover.test(file.slice(name.length)))
      rmSync(join(folder, file), { force: true });
}

/**
 * Backs up a store into a new file next to it, such as `topup.db.backup-20261120T145501Z`. The backup leaves room on the disk for the
 * store's size once more. Only the server that has locked the store may call it, for one backup at a time: it first deletes files that a
 * killed server left.
 *
 * @throws StoreFileError if the backup fails. No file remains then.
 */
export async function backUpBeside(
  path: string,
  options: Pick<BackupOptions, 'signal'>,
): Promise<{ file: string; bytes: number }> {
  const place = realPath(path);
  attempt(`An incomplete backup of ${place} can't be deleted`, () => removePartsBeside(place));
  rejectFullDisk(place, { parts: 2, what: 'A backup' });
  const file = keptName(place, 'backup');
  const { bytes } = await backUpStore(place, file, options);
  return { file, bytes };
}
