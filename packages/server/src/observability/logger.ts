import { terminalSafeJson } from '@topup-kit/core/platform';
import { type DestinationStream, type Level, type Logger, pino, stdTimeFunctions } from 'pino';
import type { PrettyOptions } from 'pino-pretty';
import { hideSecrets, LoggedError } from './redact.ts';

type LogFormat = 'json' | 'pretty';

export interface LogOptions {
  level: Level | 'silent';
  /** Format of the lines. `pretty` is for people, with one coloured line per event; it is the default if stderr is a terminal. */
  format: LogFormat | undefined;
  /** Secret values that the log never contains. */
  secrets: readonly string[];
  /** Receives the lines instead of stderr. */
  stream: DestinationStream | undefined;
}

/** Returns an error and its causes, the outermost first. */
const chainOf = (error: LoggedError | undefined): LoggedError[] =>
  error ? [error, ...chainOf(error.cause)] : [];

/** Returns the messages of an error and its causes, without those that another message quotes. */
const messagesOf = (chain: readonly LoggedError[]): string =>
  chain
    .map(({ message }) => message.replace(/\.$/, ''))
    .filter((message, index, all) => !all.slice(0, index).some((before) => before.includes(message)))
    .join(': ');

/** Returns the first words of a line for people: for a request, its operation, result and duration. */
function headline({ msg, method, operation, status, ms }: Record<string, unknown>, error: string): string {
  const said = operation === undefined || status === null ? [msg] : [];
  const parts = [...said, method, operation, status, ms === undefined ? undefined : `${ms} ms`];
  const text = parts.filter((part) => part !== undefined && part !== null).join(' ');
  return error === '' ? text : `${text}: ${error}`;
}

/** Formats a line for people: the event, then other fields; for an unexpected error, the stack below. */
const readableLine: NonNullable<PrettyOptions['messageFormat']> = (line, _key, _level, { colors }) => {
  const { level, time, msg, method, operation, status, ms, err, ...fields } = line;
  // Safe: the serializer of `err` returns nothing else.
  const chain = chainOf(err as LoggedError | undefined);
  const places = chain.flatMap(({ type, stack }) => (stack === undefined ? [] : [`\n  ${type}\n${stack}`]));
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  // Text from clients must not control the terminal.
  const text = headline(line, messagesOf(chain)).replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  const stack = places.join('').replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  return text + colors.gray(terminalSafeJson(rest) + stack);
};

/** Loads the library for readable lines only if they are wanted. */
async function prettyStream(): Promise<NodeJS.WritableStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    destination: 2,
    // A later write could be lost when the process ends.
    sync: true,
    messageFormat: readableLine,
    hideObject: true,
    translateTime: 'SYS:HH:MM:ss.l',
    colorize: process.stderr.isTTY === true && !process.env.NO_COLOR,
  });
}

/**
 * Creates a logger that writes to stderr, because stdout is for results. Errors are written without their own properties, and no line
 * contains a secret (decisions/025).
 */
export async function createLogger({ level, format, secrets, stream }: LogOptions): Promise<Logger> {
  const hide = hideSecrets(secrets);
  const chosen = stream ? 'json' : (format ?? (process.stderr.isTTY ? 'pretty' : 'json'));
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      serializers: {
        err: (error: unknown) => (error instanceof LoggedError ? error : new LoggedError(error)),
      },
      hooks: { streamWrite: (line) => terminalSafeJson(hide(line)) },
    },
    chosen === 'pretty' ? await prettyStream() : (stream ?? pino.destination({ fd: 2, sync: true })),
  );
}
