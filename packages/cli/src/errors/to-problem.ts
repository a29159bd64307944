import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { Problem } from './problem.ts';
import { type CommandLine, commandLineProblem } from './usage.ts';

/** Known by name: importing the server to know its errors would load it for every command. */
const serverErrors: Record<string, string> = { ConfigError: 'CONFIG', StoreFileError: 'STORE_FILE' };

/** What a command throws as a problem. */
export function failureProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const known = error instanceof Error ? serverErrors[error.name] : undefined;
  if (error instanceof Error && known !== undefined)
    return new Problem(error.message, { code: known, exitCode: exitCodes.failure, cause: error });
  return new Problem(`This should not have happened: ${error instanceof Error ? error.message : error}`, {
    code: 'UNEXPECTED',
    exitCode: exitCodes.failure,
    hint: 'Set TOPUP_DEBUG=1 to see where, and please report it.',
    cause: error,
  });
}

/** Any failure as a problem. */
export const toProblem = (error: unknown, line: CommandLine): Problem =>
  error instanceof CommanderError ? commandLineProblem(error, line) : failureProblem(error);
