import { dirname, resolve } from 'node:path';

/** The kinds of problems with a store file. */
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

/** A store file can't be used. The message is one line for the operator. */
export class StoreFileError extends Error {
  override readonly name = 'StoreFileError';
  readonly problem: StoreFileProblem;

  constructor(problem: StoreFileProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

export const lockedByOther = (path: string, cause: unknown): StoreFileError =>
  new StoreFileError('busy', `Another process is writing to ${path}; try again.`, { cause });

/** The result codes of SQLite that this code checks: https://www.sqlite.org/rescode.html */
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

/** The primary result code of an SQLite error; null for any other error. */
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

/** Whether an error concerns only one command. All other errors, also unknown ones, concern the file. */
export const concernsOneCommand = (error: unknown): boolean => codesOfOneCommand.includes(sqliteCode(error));

/** The system error code, such as ENOENT; undefined when the error has none. */
export const systemCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** System error codes for a full disk or an exceeded disk quota. */
const diskFullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * Converts an SQLite error or a full disk into a StoreFileError with a message for the operator. Returns other errors
 * unchanged.
 */
export function explainError(error: unknown, path: string): unknown {
  const as = (problem: StoreFileError['problem'], message: string): StoreFileError =>
    new StoreFileError(problem, message, { cause: error });
  const full = (): StoreFileError =>
    as('disk_full', `No space left on the disk of ${dirname(resolve(path))}.`);
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
      return as('not_writable', `${path}, or a file that SQLite needs beside it, can't be written.`);
    case sqliteCodes.busy:
      return lockedByOther(path, error);
    default:
      return error;
  }
}
