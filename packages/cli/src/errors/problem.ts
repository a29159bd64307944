import { type ExitCode, exitCodes } from './exit-codes.ts';

export interface ProblemDetails {
  /** For programs. */
  code: string;
  exitCode: ExitCode;
  /** What to do next. */
  hint?: string | undefined;
  /** What the server said in its own language, when `message` says it in English. */
  serverMessage?: string | undefined;
  /** The id of the answer; null for an answer without one, undefined where there was no answer. */
  requestId?: string | null | undefined;
  /** Messages by field of the request. */
  fields?: Record<string, string[]> | undefined;
  /** With what an order of unknown outcome may be sent again. */
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

/** A failure in words for the person, or the program, that ran the command. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly details: ProblemDetails;

  constructor(message: string, details: ProblemDetails) {
    super(message, { cause: details.cause });
    this.details = details;
  }
}

export const usageProblem = (message: string, hint?: string): Problem =>
  new Problem(message, { code: 'USAGE', exitCode: exitCodes.usage, hint });
