import { terminalSafeJson } from '@topup-kit/core/platform';
import { type DestinationStream, type Level, type Logger, pino, stdTimeFunctions } from 'pino';
import type { PrettyOptions } from 'pino-pretty';
import { hideSecrets, LoggedError } from './redact.ts';

type LogFormat = 'json' | 'pretty';

export interface LogOptions {
  level: Level | 'silent';
  /** `pretty` is for people: one coloured line each. By default it is chosen when stderr is a terminal. */
  format: LogFormat | undefined;
  /** Values that are never written, wherever they stand. */
  secrets: readonly string[];
  /** Where the lines go instead of stderr. */
  stream: DestinationStream | undefined;
}

/** An error and its causes, the outermost first. */
const chainOf = (error: LoggedError | undefined): LoggedError[] =>
  error ? [error, ...chainOf(error.cause)] : [];

/** The messages of an error and its causes, without those that another one quotes. */
const messagesOf = (chain: readonly LoggedError[]): string =>
  chain
    .map(({ message }) => message.replace(/\.$/, ''))
    .filter((message, index, all) => !all.slice(0, index).some((before) => before.includes(message)))
    .join(': ');

/** What a person reads first: of a request, what was asked, what came of it and how long it took. */
function headline({ msg, method, operation, status, ms }: Record<string, unknown>, error: string): string {
  const said = operation === undefined || status === null ? [msg] : [];
  const parts = [...said, method, operation, status, ms === undefined ? undefined : `${ms} ms`];
  const text = parts.filter((part) => part !== undefined && part !== null).join(' ');
  return error === '' ? text : `${text}: ${error}`;
}

/** A line for people: what happened, then the other fields; of an unexpected error, its places below. */
const readableLine: NonNullable<PrettyOptions['messageFormat']> = (line, _key, _level, { colors }) => {
  const { level, time, msg, method, operation, status, ms, err, ...fields } = line;
  // Safe: the serializer of `err` returns nothing else.
  const chain = chainOf(err as LoggedError | undefined);
  const places = chain.flatMap(({ type, stack }) => (stack === undefined ? [] : [`\n  ${type}\n${stack}`]));
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  // What others wrote must not control the terminal.
  const text = headline(line, messagesOf(chain)).replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  const stack = places.join('').replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  return text + colors.gray(terminalSafeJson(rest) + stack);
};

/** The library is loaded only for people. */
async function prettyStream(): Promise<NodeJS.WritableStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    destination: 2,
    // A line that is written later could be lost with the process.
    sync: true,
    messageFormat: readableLine,
    hideObject: true,
    translateTime: 'SYS:HH:MM:ss.l',
    colorize: process.stderr.isTTY === true && !process.env.NO_COLOR,
  });
}

/**
 * Logs to stderr, because stdout is for results. Errors are written without their own properties, and no line holds a
 * secret (decisions/025).
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
