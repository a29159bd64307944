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
 * Creates a file, or checks that an existing one can be read and written. It never opens an existing file: closing any
 * descriptor of a file would drop all locks of this process on it, also those of another open store.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}

/** Stats a file; undefined when it doesn't exist. Rejects devices and pipes: one must not be replaced, the other would block. */
export function statFile(path: string): Stats | undefined {
  const stats = attempt(`${path} can't be reached`, () => statSync(path, { throwIfNoEntry: false }));
  if (stats?.isDirectory()) throw new StoreFileError('is_a_folder', `${path} is a folder, not a file.`);
  if (stats && !stats.isFile())
    throw new StoreFileError('not_a_file', `${path} is a device or a pipe, not a file.`);
  return stats;
}

/** The size of a file in bytes; 0 when it doesn't exist. */
export const sizeOf = (path: string): number => statFile(path)?.size ?? 0;

/** Creates the folder of a file, with mode 0700, if it is missing. */
export function prepareFolder(path: string): void {
  const folder = dirname(resolve(path));
  attempt(`The folder ${folder} can't be created`, () => makeFolder(folder));
}

/** Whether a file is there and not empty. */
export function hasContent(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size > 0;
}

/**
 * Makes sure that a file exists and can be written. Creates it with mode 0600, and its folder with mode 0700, if missing.
 *
 * @throws StoreFileError also when the log of a missing database is there.
 */
export function prepareFile(path: string): void {
  rejectLostFile(path);
  prepareFolder(path);
  attempt(`${path} can't be written`, () => createFile(path));
}

/** The real path of a file, with links resolved. If the file doesn't exist, only the links of its folder are resolved. */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}

/** The log of a database, which SQLite keeps beside the file itself, not beside a link to it. */
export const logOf = (path: string): string => `${realPath(path)}-wal`;

/** Suffixes of files beside a database that hold part of its content: changes that are not in it yet, or data to undo changes. */
const contentSuffixes = ['-wal', '-journal'];

/** The index of the log, which SQLite makes anew. */
export const indexOf = (path: string): string => `${path}-shm`;

/** The files beside a database that hold part of its content. */
export const unfinishedParts = (path: string): string[] =>
  contentSuffixes.map((suffix) => realPath(path) + suffix).filter((file) => sizeOf(file) > 0);

/** The paths of a database and of all files that SQLite may create beside it, whether or not they exist. */
export const filesOf = (path: string): string[] => [
  path,
  ...contentSuffixes.map((suffix) => path + suffix),
  indexOf(path),
];

/**
 * Rejects a database whose file is gone or empty while its log is there: a new file would replace what is only in the log, and beside
 * an empty one SQLite deletes the log.
 */
export function rejectLostFile(path: string): void {
  const log = logOf(path);
  if (sizeOf(path) > 0 || !hasContent(log)) return;
  throw new StoreFileError(
    'missing',
    `${path} is ${statFile(path) ? 'empty' : 'missing'}, but its log ${log} is there, with orders that may be nowhere else. Put the file back, or restore a backup, which keeps the log under another name: topup restore FILE --store file:${path}. Only to begin with an empty store, move the log away.`,
  );
}

/** The first bytes of every SQLite file. */
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

/** Whether a file is a database (such as a store or a backup), or one of the files that SQLite keeps beside a database. */
export function isPartOfStore(path: string): boolean {
  const file = realPath(path);
  return isDatabase(file) || isDatabase(file.replace(/(-wal|-shm|-journal|\.lock)$/, ''));
}
