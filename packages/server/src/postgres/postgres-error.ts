import { StoreError } from '@topup-kit/core/store';
import { openFilesCode, raiseOpenFiles } from '../files/open-files.ts';
import { DamagedRowError } from '../rows/columns.ts';

/** Kinds of problems with a PostgreSQL store. */
export type PostgresErrorCode =
  | 'unreachable'
  | 'busy'
  | 'refused'
  | 'full'
  | 'read_only'
  | 'outcome_unknown'
  | 'damaged'
  | 'newer_version'
  | 'needs_upgrade'
  | 'not_a_store'
  | 'unfinished'
  | 'closed';

/** Problems after which nothing of the command is stored, and the seconds until it may be repeated. */
const retryAfter: Partial<Record<PostgresErrorCode, number>> = {
  unreachable: 2,
  busy: 1,
  full: 30,
  read_only: 5,
};

/** Error for an unusable PostgreSQL store. The message is one line for the operator, without the password. */
export class PostgresError extends StoreError {
  override readonly name = 'PostgresError';
  readonly problem: PostgresErrorCode;
  readonly retryAfter: number | null;
  readonly isReported: boolean;

  constructor(problem: PostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
    this.retryAfter = retryAfter[problem] ?? null;
    // The store's `onChange` has already reported this problem.
    this.isReported = problem === 'unreachable';
  }
}

/** Returns the code of an error of the driver, the system or PostgreSQL (its SQLSTATE); empty if there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Tells whether two transactions interfered, so that this one was rolled back: serialisation failure or deadlock. */
export const isInterference = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

const lostCodes: ReadonlySet<string> = new Set([
  // Codes of the driver.
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  // Codes of the system.
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  // PostgreSQL's codes: stopped by an administrator, stopped by a crash, not ready yet, too many connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** Tells whether the connection is lost or could not be made. */
export const isLost = (error: unknown): boolean =>
  lostCodes.has(codeOf(error)) || codeOf(error).startsWith('08');

/** Converts an error of the driver into a PostgresError for the operator. Returns other errors unchanged. */
export function explainPostgresError(error: unknown, name: string): unknown {
  const as = (problem: PostgresErrorCode, message: string): PostgresError =>
    new PostgresError(problem, message, { cause: error });
  if (error instanceof DamagedRowError) return as('damaged', `${name} is damaged: ${error.message}.`);
  if (codeOf(error) === '53300')
    return as(
      'unreachable',
      `${name} has no free connection: raise its max_connections (each server needs 10).`,
    );
  const limit = openFilesCode(error);
  if (limit !== null) return as('unreachable', `${name} can't be reached: ${raiseOpenFiles(limit)}`);
  if (isLost(error)) return as('unreachable', `${name} can't be reached (${codeOf(error)}).`);
  if (isInterference(error)) return as('busy', `${name} has too many simultaneous commands; try again.`);
  const code = codeOf(error);
  switch (code) {
    // A lock was not available in time, or the statement took too long.
    case '55P03':
    case '57014':
      return as('busy', `${name} did not respond in time; try again.`);
    case '53100':
      return as('full', `No space left on the disk of ${name}.`);
    case '25006':
      return as('read_only', `${name} accepts no writes, because it is a replica or read-only.`);
    case '28P01':
    case '28000':
    case '3D000':
    case '42501':
      return as('refused', `${name} refused access: ${messageOf(error)}.`);
    case '42P07':
    case '42710':
      return as(
        'not_a_store',
        `${name} has another program's tables: ${messageOf(error)}. Use a separate database or schema (?search_path=NAME).`,
      );
    case '3F000':
      return as(
        'refused',
        `${name} has no schema for the tables: create the schema in the address's search_path.`,
      );
    // Only the address can cause this error.
    case '42704':
      return as('refused', `${name} rejects a part of its address: ${messageOf(error)}.`);
    default:
      return error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
