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
import { makeFolder } from '../files/folders.ts';
import { openFilesCode } from '../files/open-files.ts';
import { StoreFileError, systemCode, tooManyFiles } from './store-file-error.ts';

/** Runs file operations. An error becomes a StoreFileError with `failure` and the system's error code as its message. */
export function attempt<Result>(failure: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof StoreFileError) throw cause;
    const limit = openFilesCode(cause);
    if (limit !== null) throw tooManyFiles(failure, limit, cause);
    throw new StoreFileError('not_writable', `${failure} (${systemCode(cause) ?? cause}).`, { cause });
  }
}

/**
 * Creates a file, or checks that an existing file can be read and written. It never opens an existing file: closing any of its descriptors
 * would drop all of this process's locks on it, including those of another open store.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}

/** Stats a file; undefined if it doesn't exist. Rejects devices, which must not be replaced, and pipes, which would block. */
export function statFile(path: string): Stats | undefined {
  const stats = attempt(`${path} can't be reached`, () => statSync(path, { throwIfNoEntry: false }));
  if (stats?.isDirectory()) throw new StoreFileError('is_a_folder', `${path} is a folder, not a file.`);
  if (stats && !stats.isFile())
    throw new StoreFileError('not_a_file', `${path} is a device or a pipe, not a file.`);
  return stats;
}

/** Returns a file's size in bytes; 0 if it doesn't exist. */
export const sizeOf = (path: string): number => statFile(path)?.size ?? 0;

/** Creates the folder of a file, with mode 0700, if it is missing. */
export function prepareFolder(path: string): void {
  const folder = dirname(resolve(path));
  attempt(`The folder ${folder} can't be created`, () => makeFolder(folder));
}

/** Tells whether a file exists and is not empty. */
export function hasContent(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size > 0;
}

/**
 * Makes sure that a file exists and can be written. Creates a missing file with mode 0600, and a missing folder with mode 0700.
 *
 * @throws StoreFileError also if the database is missing but its log exists.
 */
export function prepareFile(path: string): void {
  rejectLostFile(path);
  prepareFolder(path);
  attempt(`${path} can't be written`, () => createFile(path));
}

/** Returns a file's real path, with links resolved. If the file doesn't exist, only its folder's links are resolved. */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}

/** Returns the path of a database's log, which SQLite keeps next to the file itself, not next to a link to it. */
export const logOf = (path: string): string => `${realPath(path)}-wal`;

/** Suffixes of files that contain a part of a database's content: newer changes, or data to undo changes. */
const contentSuffixes = ['-wal', '-journal'];

/** Returns the path of the log's index, which SQLite can rebuild. */
export const indexOf = (path: string): string => `${path}-shm`;

/** Returns the files that contain a part of a database's content. */
export const unfinishedParts = (path: string): string[] =>
  contentSuffixes.map((suffix) => realPath(path) + suffix).filter((file) => sizeOf(file) > 0);

/** Returns the paths of a database and of all files that SQLite may create next to it, existing or not. */
export const filesOf = (path: string): string[] => [
  path,
  ...contentSuffixes.map((suffix) => path + suffix),
  indexOf(path),
];

/**
 * Rejects a database whose file is missing or empty although its log exists: a new file would replace data that is only in the log, and
 * SQLite deletes the log of an empty file.
 */
export function rejectLostFile(path: string): void {
  const log = logOf(path);
  if (sizeOf(path) > 0 || !hasContent(log)) return;
  throw new StoreFileError(
    'missing',
    `${path} is ${statFile(path) ? 'empty' : 'missing'}, but its log ${log} exists, and may have orders that are nowhere else. Put the file back. Or restore a backup, which keeps the log under another name: topup restore FILE --store file:${path}. Move the log away only to start with an empty store.`,
  );
}

/** First bytes of every SQLite file. */
const header = 'SQLite format 3\0';

function isDatabase(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(header.length);
    readSync(file, start, 0, header.length, 0);
    return start.toString('latin1') === header;
  } finally {
    closeSync(file);
  }
}

/** Tells whether a file is a database (such as a store or a backup), or a file that SQLite keeps next to one. */
export function isPartOfStore(path: string): boolean {
  const file = realPath(path);
  return isDatabase(file) || isDatabase(file.replace(/(-wal|-shm|-journal|\.lock)$/, ''));
}
