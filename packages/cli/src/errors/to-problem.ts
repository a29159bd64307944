import { CommanderError } from 'commander';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { Problem } from './problem.ts';
import { systemCode } from './system-code.ts';
import { type CommandLine, commandLineProblem } from './usage.ts';

/** A value that a setting doesn't take is a wrong command line, wherever it stands. */
function configExitCode(error: Error): ExitCode {
  if ('setting' in error && error.setting !== undefined) return exitCodes.usage;
  return systemCode(error.cause) === 'ENOENT' ? exitCodes.notFound : exitCodes.failure;
}

/** Known by name: importing the server to know its errors would load it for every command. */
function serverProblem(error: Error): Problem | undefined {
  const { name, message } = error;
  if (name === 'ConfigError')
    return new Problem(message, { code: 'CONFIG', exitCode: configExitCode(error), cause: error });
  if (name === 'StoreFileError')
    return new Problem(message, { code: 'STORE_FILE', exitCode: exitCodes.failure, cause: error });
  return undefined;
}

const isLostFolder = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';

/** What a command throws as a problem. */
export function failureProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const known = error instanceof Error ? serverProblem(error) : undefined;
  if (known) return known;
  if (isLostFolder(error))
    return new Problem('The folder you are in is gone.', {
      code: 'NO_FOLDER',
      exitCode: exitCodes.notFound,
      hint: 'Go to another one with cd, and run the command again.',
      cause: error,
    });
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
