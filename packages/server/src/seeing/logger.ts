import { type DestinationStream, type Level, type Logger, pino, stdTimeFunctions } from 'pino';
import { hideSecrets, LoggedError } from './redact.ts';

export type LogFormat = 'json' | 'pretty';

export interface LogOptions {
  level: Level | 'silent';
  /** `pretty` is for people: one coloured line each. By default it is chosen when stderr is a terminal. */
  format: LogFormat | undefined;
  /** Values that are never written, wherever they stand. */
  secrets: readonly string[];
  /** Where the lines go instead of stderr. */
  stream: DestinationStream | undefined;
}

/** What a person reads first: of a request, what was asked, what came of it and how long it took. */
function headline({ msg, method, operation, status, ms }: Record<string, unknown>): string {
  const said = operation === undefined || status === null ? [msg] : [];
  const parts = [...said, method, operation, status, ms === undefined ? undefined : `${ms} ms`];
  return parts.filter((part) => part !== undefined && part !== null).join(' ');
}

/** Lines for people: what happened first, then the other fields. The library is loaded only for them. */
async function prettyStream(): Promise<NodeJS.WritableStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    destination: 2,
    // A line that is written later could be lost with the process.
    sync: true,
    singleLine: true,
    messageFormat: headline,
    ignore: 'method,operation,status,ms',
    errorLikeObjectKeys: ['err'],
    translateTime: 'SYS:HH:MM:ss.l',
    colorize: process.stderr.isTTY === true && !process.env.NO_COLOR,
  });
}

/**
 * Logs to stderr, because stdout is for results. Errors are written without their own properties, and no line holds a
 * secret (decisions/025).
 */
export async function createLogger({ level, format, secrets, stream }: LogOptions): Promise<Logger> {
  const chosen = stream ? 'json' : (format ?? (process.stderr.isTTY ? 'pretty' : 'json'));
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      serializers: {
        err: (error: unknown) => (error instanceof LoggedError ? error : new LoggedError(error)),
      },
      hooks: { streamWrite: hideSecrets(secrets) },
    },
    chosen === 'pretty' ? await prettyStream() : (stream ?? pino.destination({ fd: 2, sync: true })),
  );
}
