import { sqliteCode, sqliteCodes } from './sqlite-codes.ts';
import { lockedByOther, StoreFileError } from './store-file-error.ts';

/** An error of opening a file, in words for the person who named it; other errors stay as they are. */
export function explainError(error: unknown, path: string): unknown {
  const as = (problem: StoreFileError['problem'], message: string): StoreFileError =>
    new StoreFileError(problem, message, { cause: error });
  switch (sqliteCode(error)) {
    case sqliteCodes.notADatabase:
    case sqliteCodes.corrupt:
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
