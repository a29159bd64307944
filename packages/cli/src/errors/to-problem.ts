import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { Problem, usageProblem } from './problem.ts';

/** Known by name: importing the server to know its errors would load it for every command. */
const serverErrors: Record<string, string> = { ConfigError: 'CONFIG', StoreFileError: 'STORE_FILE' };

const usageMessage = ({ message }: CommanderError): string =>
  message.replace(/^error: (.)/, (_prefix, first: string) => first.toUpperCase());

/** Any failure as a problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof CommanderError) return usageProblem(usageMessage(error));
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
