import { exitCodes } from '../errors/exit-codes.ts';
import { Problem } from '../errors/problem.ts';

/** Something wrong with the config file. */
export const configProblem = (message: string, hint: string, cause?: unknown): Problem =>
  new Problem(message, { code: 'CONFIG_FILE', exitCode: exitCodes.failure, hint, cause });
