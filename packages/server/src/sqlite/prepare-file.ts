import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreFileError } from './store-file-error.ts';

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

function attempt<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new StoreFileError('not_writable', `${what} (${codeOf(cause) ?? cause}).`, { cause });
  }
}

/** Makes folders that were just created survive a power cut. */
function syncFolders(from: string, upTo: string): void {
  // Windows can't open folders, and needs no sync of them.
  if (process.platform === 'win32') return;
  for (let folder = from; folder.length >= upTo.length; folder = dirname(folder)) {
    const parent = openSync(dirname(folder), 'r');
    fsyncSync(parent);
    closeSync(parent);
  }
}

function makeFolder(folder: string): void {
  const firstMade = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (firstMade !== undefined) syncFolders(folder, firstMade);
}

/**
 * Only a file that this call itself creates is opened here: closing any descriptor of a file drops all locks that
 * this process, perhaps by another open store, holds on it.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}

/** Makes sure that a file is there that this process may write: its folder with mode 0700, itself with 0600. */
export function prepareFile(path: string): void {
  const there = attempt(`${path} can't be reached`, () => statSync(path, { throwIfNoEntry: false }));
  if (there?.isDirectory()) throw new StoreFileError('is_a_folder', `${path} is a folder, not a file.`);
  const folder = dirname(resolve(path));
  attempt(`The folder ${folder} can't be made`, () => makeFolder(folder));
  attempt(`${path} can't be written`, () => makeFile(path));
}
