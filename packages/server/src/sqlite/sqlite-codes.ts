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

const faultsOfOneCommand: readonly (number | null)[] = [
  null,
  sqliteCodes.error,
  sqliteCodes.tooBig,
  sqliteCodes.constraint,
  sqliteCodes.mismatch,
];

/** Whether an error is about what a command asked for; any other, also an unknown one, is about the file. */
export const concernsOneCommand = (error: unknown): boolean => faultsOfOneCommand.includes(sqliteCode(error));
