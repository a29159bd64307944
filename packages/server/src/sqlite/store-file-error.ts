import { dirname, resolve } from 'node:path';

/** What is wrong with a store's file, or with its state. */
export type StoreFileProblem =
  | 'missing'
  | 'exists'
  | 'is_a_folder'
  | 'not_a_file'
  | 'no_folder'
  | 'not_writable'
  | 'disk_full'
  | 'not_a_store'
  | 'damaged'
  | 'newer_version'
  | 'busy'
  | 'in_use'
  | 'unfinished'
  | 'own_file'
  | 'served_already'
  | 'writes_stopped'
  | 'closed';

/** A store's file can't be used; the message is one line for the person who runs the server or the command. */
export class StoreFileError extends Error {
  override readonly name = 'StoreFileError';
  readonly problem: StoreFileProblem;

  constructor(problem: StoreFileProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

export const lockedByOther = (path: string, cause: unknown): StoreFileError =>
  new StoreFileError('busy', `${path} is locked by another process that writes; try again.`, { cause });

/** Result codes of SQLite that something is decided by: https://www.sqlite.org/rescode.html */
export const sqliteCodes = {
  error: 1,
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
} as const;

/** The primary result code of an error of SQLite; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  // The low byte of an extended code is the primary one.
  return error.errcode & 0xff;
}

export const isBusy = (error: unknown): boolean => sqliteCode(error) === sqliteCodes.busy;

const codesOfOneCommand: readonly (number | null)[] = [
  null,
  sqliteCodes.error,
  sqliteCodes.tooBig,
  sqliteCodes.constraint,
  sqliteCodes.mismatch,
];

/** Whether an error is about what a command asked for; any other, also an unknown one, is about the file. */
export const concernsOneCommand = (error: unknown): boolean => codesOfOneCommand.includes(sqliteCode(error));

/** The system's code of an error, such as ENOENT; undefined when it has none. */
export const systemCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** What the system says when a disk or a user's quota is full. */
const diskFullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * An error of SQLite, or of a full disk, about a file, in words for the person who named it; other errors stay as they
 * are.
 */
export function explainError(error: unknown, path: string): unknown {
  const as = (problem: StoreFileError['problem'], message: string): StoreFileError =>
    new StoreFileError(problem, message, { cause: error });
  const full = (): StoreFileError => as('disk_full', `There is no room left in ${dirname(resolve(path))}.`);
  if (diskFullCodes.includes(systemCode(error))) return full();
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
