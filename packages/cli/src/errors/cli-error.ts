interface CliErrorDetails {
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
export class CliError extends Error {
  override readonly name = 'Problem';
  readonly details: CliErrorDetails;

  constructor(message: string, details: CliErrorDetails) {
    super(message, { cause: details.cause });
    this.details = details;
  }
}

export const usageError = (message: string, hint?: string): CliError =>
  new CliError(message, { code: 'USAGE', exitCode: exitCodes.usage, hint });

/** Exit codes, of which scripts depend on each. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  network: 5,
  rejected: 6,
  rateLimited: 7,
  unknownOutcome: 8,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesHelp = `Exit codes:
  0  done                        5  no response from the service
  1  failed                      6  rejected, nothing changed
  2  wrong command line          7  too many requests
  3  not found                   8  still pending, or outcome unknown
  4  key missing or not allowed  130, 143  stopped by a signal`;

/** Ends a command that said all it has to say with an exit code of its own; no failure. */
export class QuietExit extends Error {
  override readonly name = 'QuietExit';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

const outputCode = 'OUTPUT';

/** The result could not be written. */
export const outputError = (cause: Error): CliError =>
  new CliError(`The output can't be written: ${cause.message}.`, {
    code: outputCode,
    exitCode: exitCodes.failure,
    cause,
  });

/** Whether it was the output that failed, where nothing can be told either. */
export const isOutputError = ({ details }: CliError): boolean => details.code === outputCode;

/** Whether the reader stopped early, as `head` does, which is no failure. */
export const isEarlyEnd = (error: unknown): boolean =>
  error instanceof CliError && isOutputError(error) && systemCode(error.details.cause) === 'EPIPE';

/** The system's code, which runtimes put some causes deep. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[A-Z][A-Z\d_]+$/.test(code) ? code : systemCode(error.cause);
}

/** What an error says, whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
