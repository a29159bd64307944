import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../folders.ts';
import { StoreFileError, systemCode } from './store-file-error.ts';

/** Says what can't be done, and the system's code. */
export function attempt<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof StoreFileError) throw cause;
    throw new StoreFileError('not_writable', `${what} (${systemCode(cause) ?? cause}).`, { cause });
  }
}

/**
 * Only a file that this call itself creates is opened here: closing any descriptor of a file drops all locks that
 * this process, perhaps by another open store, holds on it.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}

/** The file that stands at a path; undefined when nothing does. A device must not be replaced, nor a pipe waited for. */
export function statFile(path: string): Stats | undefined {
  const there = attempt(`${path} can't be reached`, () => statSync(path, { throwIfNoEntry: false }));
  if (there?.isDirectory()) throw new StoreFileError('is_a_folder', `${path} is a folder, not a file.`);
  if (there && !there.isFile())
    throw new StoreFileError('not_a_file', `${path} is a device or a pipe, not a file.`);
  return there;
}

/** The size of a file in bytes; 0 when there is none. */
export const sizeOf = (path: string): number => statFile(path)?.size ?? 0;

/** Makes sure that the folder of a file is there; one that is made has mode 0700. */
export function prepareFolder(path: string): void {
  const folder = dirname(resolve(path));
  attempt(`The folder ${folder} can't be made`, () => makeFolder(folder));
}

/** Makes sure that a file is there that this process may write: its folder with mode 0700, itself with 0600. */
export function prepareFile(path: string): void {
  statFile(path);
  prepareFolder(path);
  attempt(`${path} can't be written`, () => makeFile(path));
}

/** A file's whole name without links; of one that is not there yet, its folder's links alone are followed. */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}

/** Every file of SQLite begins with it. */
const header = 'SQLite format 3\0';

function isDatabase(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(path, 'r');
  try {
    const begin = Buffer.alloc(header.length);
    readSync(file, begin, 0, header.length, 0);
    return begin.toString('latin1') === header;
  } finally {
    closeSync(file);
  }
}

/** Whether a file is a database, a store or a backup, or stands beside one as a part of it. */
export function isPartOfStore(path: string): boolean {
  const file = realPath(path);
  return isDatabase(file) || isDatabase(file.replace(/(-wal|-shm|-journal|\.lock)$/, ''));
}
