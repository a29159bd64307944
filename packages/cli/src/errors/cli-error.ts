interface CliErrorDetails {
  /** Stable code for programs. */
  code: string;
  exitCode: ExitCode;
  hint?: string | undefined;
  /** Message of the server in its own language; `message` is then in English. */
  serverMessage?: string | undefined;
  /** Request id of the response; null if it has none, undefined if there was no response. */
  requestId?: string | null | undefined;
  /** Messages by field of the request. */
  fields?: Record<string, string[]> | undefined;
  /** Key for sending an order with an unknown outcome again. */
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

/** Error as the command reports it to people and programs. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly details: CliErrorDetails;

  constructor(message: string, details: CliErrorDetails) {
    super(message, { cause: details.cause });
    this.details = details;
  }

  /** Returns a copy with other details and optionally another message. */
  with(details: Partial<CliErrorDetails>, message = this.message): CliError {
    return new CliError(message, { ...this.details, ...details });
  }
}

export const usageError = (message: string, hint?: string): CliError =>
  new CliError(message, { code: 'USAGE', exitCode: exitCodes.usage, hint });

/** Exit codes. Scripts depend on these numbers. */
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

/** Returns the exit code of a command that a signal stopped; `reason` is the signal's name. */
export const stopCodeOf = (reason: unknown): ExitCode =>
  reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;

export function exitCodeOfStatus(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.auth;
  if (status === 404) return exitCodes.notFound;
  if (status === 429) return exitCodes.rateLimited;
  return status >= 400 && status < 500 ? exitCodes.rejected : exitCodes.failure;
}

export const exitCodeMeanings = [
  ['0', 'done'],
  ['1', 'failed'],
  ['2', 'wrong command line'],
  ['3', 'not found'],
  ['4', 'key missing or not allowed'],
  ['5', 'no response from the service'],
  ['6', 'rejected, nothing changed'],
  ['7', 'too many requests'],
  ['8', 'still pending, or outcome unknown'],
  ['130, 143', 'stopped by a signal'],
] as const;

/** Ends a command with an exit code after it has printed its result. This is not an error. */
export class QuietExit extends Error {
  override readonly name = 'QuietExit';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

const outputCode = 'OUTPUT';

export const outputError = (cause: Error): CliError =>
  new CliError(`The output can't be written: ${cause.message}.`, {
    code: outputCode,
    exitCode: exitCodes.failure,
    cause,
  });

/** Code of the error if `--fields` names no field of the result. */
export const noSuchFieldCode = 'NO_SUCH_FIELD';

/** Tells whether the output itself failed, so that no error can be printed there. */
export const isOutputError = ({ details }: CliError): boolean => details.code === outputCode;

/** Tells whether the reader closed the pipe early, as `head` does. This is not a failure. */
export const isEarlyEnd = (error: unknown): boolean =>
  error instanceof CliError && isOutputError(error) && systemCode(error.details.cause) === 'EPIPE';

/** Returns the system error code, such as `EPIPE`. Runtimes put it on the error or on one of its causes. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[A-Z][A-Z\d_]+$/.test(code) ? code : systemCode(error.cause);
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
