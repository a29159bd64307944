import { dirname, resolve } from 'node:path';
import { systemCode } from './prepare-file.ts';
import { sqliteCode, sqliteCodes } from './sqlite-codes.ts';
import { lockedByOther, StoreFileError } from './store-file-error.ts';

/** What the system says when a disk, or what one user may have of it, is full. */
const noRoom: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * An error of SQLite, or of a full disk, about a file, in words for the person who named it; other errors stay as they
 * are.
 */
export function explainError(error: unknown, path: string): unknown {
  const as = (problem: StoreFileError['problem'], message: string): StoreFileError =>
    new StoreFileError(problem, message, { cause: error });
  const full = (): StoreFileError => as('disk_full', `There is no room left in ${dirname(resolve(path))}.`);
  if (noRoom.includes(systemCode(error))) return full();
  switch (sqliteCode(error)) {
    case sqliteCodes.corrupt:
      return as('damaged', `${path} is damaged.`);
    case sqliteCodes.full:
      return full();
    case sqliteCodes.notADatabase:
      return as('not_a_store', `${path} is not a store of this kit, or it is damaged.`);
    case sqliteCodes.readOnly:
    case sqliteCodes.cantOpen:
    case sqliteCodes.ioError:
      return as('not_writable', `${path}, or a file beside it that the store needs, can't be written.`);
    case sqliteCodes.busy:
      return lockedByOther(path, error);
    default:
      return error;
  }
}
