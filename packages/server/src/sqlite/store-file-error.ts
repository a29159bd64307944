import { dirname, resolve } from 'node:path';
import { StoreError } from '@topup-kit/core/store';
import { findOpenFilesLimit, raiseOpenFiles } from '../files/open-files.ts';
import { DamagedRowError } from '../rows/columns.ts';

/** Kinds of problems with a store file. */
export type StoreFileErrorCode =
  | 'missing'
  | 'replaced'
  | 'exists'
  | 'is_a_folder'
  | 'not_a_file'
  | 'no_folder'
  | 'not_writable'
  | 'disk_full'
  | 'too_many_files'
  | 'not_a_store'
  | 'damaged'
  | 'newer_version'
  | 'needs_upgrade'
  | 'busy'
  | 'in_use'
  | 'unfinished'
  | 'own_file'
  | 'served_already'
  | 'file_gone'
  | 'writes_paused'
  | 'writes_stopped'
  | 'closed';

/** Problems that reject commands before any write, and the seconds until they may be repeated. */
const retryAfter: Partial<Record<StoreFileErrorCode, number>> = { busy: 1, file_gone: 10 };

/** Problems of an open store, which it reports to its host by `onChange`. */
const ongoing: ReadonlySet<StoreFileErrorCode> = new Set([
  'busy',
  'file_gone',
  'writes_paused',
  'writes_stopped',
]);

/** Error for an unusable store file. The message is one line for the operator. */
export class StoreFileError extends StoreError {
  override readonly name = 'StoreFileError';
  readonly problem: StoreFileErrorCode;
  readonly retryAfter: number | null;
  readonly isReported: boolean;

  constructor(
    problem: StoreFileErrorCode,
    message: string,
    { isReported = ongoing.has(problem), ...options }: ErrorOptions & { isReported?: boolean } = {},
  ) {
    super(message, options);
    this.problem = problem;
    this.retryAfter = retryAfter[problem] ?? null;
    this.isReported = isReported;
  }
}

const lockedByOther = (path: string, cause: unknown): StoreFileError =>
  new StoreFileError('busy', `Another process is writing to ${path}; try again.`, { cause });

/** Creates the error for too many open files. `code` is the limit's code. */
export const tooManyFiles = (failure: string, code: string, cause: unknown): StoreFileError =>
  new StoreFileError('too_many_files', `${failure}: ${raiseOpenFiles(code)}`, { cause });

/** Result codes of SQLite that this code checks: https://www.sqlite.org/rescode.html */
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

const extendedCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;

/** Returns an SQLite error's primary result code; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  const code = extendedCode(error);
  // The low byte of an extended code is the primary code.
  return code === null ? null : code & 0xff;
}

/** Extended codes of a write that failed before any sync: SQLITE_IOERR_WRITE and SQLITE_IOERR_SHMSIZE. */
const failedWrites: readonly (number | null)[] = [778, 4874];

/**
 * Tells whether a failed transaction is certainly not on the disk, so that later transactions may follow. After a failed sync, it may or
 * may not be there, and the system may have dropped unwritten data.
 */
export const isSafelyUndone = (error: unknown): boolean =>
  sqliteCode(error) === sqliteCodes.full || failedWrites.includes(extendedCode(error));

export const isBusy = (error: unknown): boolean => sqliteCode(error) === sqliteCodes.busy;

const codesOfOneCommand: readonly (number | null)[] = [
  null,
  sqliteCodes.error,
  sqliteCodes.tooBig,
  sqliteCodes.constraint,
  sqliteCodes.mismatch,
];

/** Tells whether an error concerns only one command. All other errors, including unknown ones, concern the file. */
export const concernsOneCommand = (error: unknown): boolean => codesOfOneCommand.includes(sqliteCode(error));

/** Returns the system error code, such as ENOENT; undefined if there is none. */
export const systemCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** System error codes for a full disk or an exceeded disk quota. */
const diskFullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

export const isDiskFull = (error: unknown): boolean => diskFullCodes.includes(systemCode(error));

/**
 * Converts an SQLite error, a damaged row or a full disk into a StoreFileError with a message for the operator. Returns other errors
 * unchanged.
 */
export function explainError(error: unknown, path: string): unknown {
  const as = (problem: StoreFileError['problem'], message: string): StoreFileError =>
    new StoreFileError(problem, message, { cause: error });
  const full = (): StoreFileError =>
    as('disk_full', `No space left on the disk of ${dirname(resolve(path))}.`);
  if (isDiskFull(error)) return full();
  if (error instanceof DamagedRowError) return as('damaged', `${path} is damaged: ${error.message}.`);
  switch (sqliteCode(error)) {
    case sqliteCodes.corrupt:
      return as('damaged', `${path} is damaged.`);
    case sqliteCodes.full:
      return full();
    case sqliteCodes.notADatabase:
      return as('not_a_store', `${path} is not a store of this kit, or it is damaged.`);
    case sqliteCodes.readOnly:
    case sqliteCodes.cantOpen:
    case sqliteCodes.ioError: {
      const failure = `${path}, or a file that SQLite needs next to it, can't be written`;
      const limit = findOpenFilesLimit();
      return limit === null ? as('not_writable', `${failure}.`) : tooManyFiles(failure, limit, error);
    }
    case sqliteCodes.busy:
      return lockedByOther(path, error);
    default:
      return error;
  }
}
