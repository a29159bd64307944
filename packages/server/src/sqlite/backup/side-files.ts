import { rmSync } from 'node:fs';
import { sizeOf } from '../prepare-file.ts';
import { StoreFileError } from '../store-file-error.ts';

/** What SQLite keeps beside a database: changes not in it yet, or how to undo changes that are. */
const withContent = ['-wal', '-journal'];

/** All that can stand beside a database, by what its name ends with. */
const sideFiles = [...withContent, '-shm'];

/** The files without which a database is not what its writers left. */
export const unfinishedParts = (path: string): string[] =>
  withContent.map((suffix) => path + suffix).filter((file) => sizeOf(file) > 0);

/** Refuses a file which is only a part of a database. */
export function refuseUnfinishedFile(path: string): void {
  const [part] = unfinishedParts(path);
  if (part !== undefined)
    throw new StoreFileError(
      'unfinished',
      `${path} is a store in use, not a backup: a part of it is in ${part}. Back it up first.`,
    );
}

/** All the files of a database, whether or not they are there. */
export const filesOf = (path: string): string[] => [path, ...sideFiles.map((suffix) => path + suffix)];

/** Removes a database that nobody has open. */
export function removeDatabase(path: string): void {
  for (const file of filesOf(path)) rmSync(file, { force: true });
}
