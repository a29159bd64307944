import { exitCodes } from './exit-codes.ts';
import { Problem } from './problem.ts';
import { systemCode } from './system-code.ts';

const code = 'OUTPUT';

/** The result could not be written. */
export const outputProblem = (cause: Error): Problem =>
  new Problem(`The output can't be written: ${cause.message}.`, { code, exitCode: exitCodes.failure, cause });

/** Whether it was the output that failed, where nothing can be told either. */
export const isOutputProblem = ({ details }: Problem): boolean => details.code === code;

/** Whether the reader stopped early, as `head` does, which is no failure. */
export const isEarlyEnd = (error: unknown): boolean =>
  error instanceof Problem && isOutputProblem(error) && systemCode(error.details.cause) === 'EPIPE';
