import { randomBytes } from 'node:crypto';
import { renameSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { syncFolder } from '../../folders.ts';
import { findServer } from '../server-lock.ts';
import { attempt, realPath, statFile } from '../store-file.ts';
import { explainError, StoreFileError } from '../store-file-error.ts';
import { type CopyOptions, copyDatabase } from './copy-database.ts';
import { filesOf, readStore, rejectUnfinishedFile, removeDatabase } from './read-database.ts';
import { type BackupFacts, seal, verifyBackup } from './verify-backup.ts';

export interface BackupOptions extends CopyOptions {
  /** Whether a file that is there already may be replaced. */
  force?: boolean | undefined;
}

const isSameFile = (path: string, other: string): boolean => {
  const [one, two] = [path, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
};

/** Whether a file is the store itself, or one that belongs to it. */
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

/** Rejects to write over what a server or another command works on. */
function rejectUsedTarget(target: string): void {
  rejectUnfinishedFile(target);
  const server = findServer(target);
  if (server) throw new StoreFileError('in_use', `A server (pid ${server.pid}) serves ${target}.`);
}

function rejectTarget(target: string, path: string, force: boolean): void {
  rejectFolder(target);
  if (belongsToStore(target, path))
    throw new StoreFileError('own_file', `${target} belongs to the store that is to be backed up.`);
  const exists = statFile(target) !== undefined;
  if (exists && !force) throw new StoreFileError('exists', `There is a file ${target} already.`);
  if (exists) rejectUsedTarget(target);
}

/** Damage that the copy has, the store has. */
function blameStore(error: unknown, path: string): unknown {
  if (!(error instanceof StoreFileError) || error.problem !== 'damaged') return error;
  return new StoreFileError('damaged', `${path} is damaged, so no backup of it was made.`, { cause: error });
}

async function makeBackup(path: string, part: string, options: BackupOptions): Promise<BackupFacts> {
  try {
    await readStore(path, (db) => copyDatabase(db, part, options));
    await seal(part, options.signal);
    return await verifyBackup(part, options);
  } catch (error) {
    throw blameStore(explainError(error, part), path);
  }
}

/**
 * Makes a backup of a store that a server may be writing: one file, verified, with every order that was answered
 * before the call.
 *
 * @throws StoreFileError; then, as after an abort, nothing is left of the file.
 * @example
 * const { bytes, orders } = await backUpStore('./data/topup.db', 'backups/friday.db');
 */
export async function backUpStore(
  path: string,
  target: string,
  options: BackupOptions = {},
): Promise<BackupFacts> {
  const force = options.force === true;
  rejectTarget(target, path, force);
  const place = realPath(target);
  const part = `${place}.${randomBytes(4).toString('hex')}.part`;
  try {
    const facts = await makeBackup(path, part, options);
    // Somebody else may have made it in the meantime.
    rejectTarget(target, path, force);
    attempt(`${target} can't be written`, () => renameSync(part, place));
    syncFolder(dirname(place));
    return facts;
  } finally {
    removeDatabase(part);
  }
}
