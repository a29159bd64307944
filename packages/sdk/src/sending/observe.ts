import { clientHeaders as names } from '@topup-kit/core/contract';
import { type AnyTopupError, TopupUsageError } from '../errors/index.ts';
import { type RequestMetadata, requestLine } from '../errors/topup-error.ts';
import type { Attempt, ClientOptions, Hooks, Logger } from '../options.ts';
import type { Platform } from '../platform.ts';
import { checkChoice, checkNames, type NamesOf, variable } from '../request/check-options.ts';
import { addHeaders } from '../request/headers.ts';

/** The user's logger. Levels that are not logged are undefined, so that no data is prepared for them. */
export type Log = Partial<Logger>;

type LogLevel = keyof Logger;

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** The prefix of each log line, which distinguishes it from the application's own lines. */
export const logPrefix = 'topup-sdk: ';

let warned = false;

/** Returns the log level in the environment, which turns logging on without a code change. An invalid value never stops the client. */
function levelOfEnvironment(): LogLevel | undefined {
  const name = variable('TOPUP_LOG');
  const level = levels.find((known) => known === name);
  if (name !== undefined && level === undefined && !warned) {
    warned = true;
    // biome-ignore lint/suspicious/noConsole: whoever set the variable looks for the log there.
    console.warn(`${logPrefix}TOPUP_LOG must be one of ${levels.join(', ')}.`);
  }
  return level;
}

/** Creates a client's log, which has no levels without a logger. */
export function createLog({ logger, logLevel }: ClientOptions): Log {
  const fromEnvironment = logLevel === undefined ? levelOfEnvironment() : undefined;
  const lowest = logLevel ?? fromEnvironment ?? 'warn';
  checkChoice('logLevel', lowest, levels);
  const target = logger ?? (fromEnvironment && console);
  if (!target) return {};
  return Object.fromEntries(
    levels
      .slice(levels.indexOf(lowest))
      .map((level) => [
        level,
        (message, fields) => void callObserver(() => target[level](logPrefix + message, fields)),
      ]),
  );
}

/** Calls the user's logger or hook. Its errors must not fail a call whose order was created. */
export async function callObserver(
  observer: () => unknown,
  onFailure?: (error: unknown) => void,
): Promise<void> {
  try {
    await observer();
  } catch (error) {
    onFailure?.(error);
  }
}

/** Observers of attempts: the user's hooks and logger. */
export interface Observers {
  hooks: Hooks;
  log: Log;
}

const hookNames: NamesOf<Hooks> = { onRequest: true, onResponse: true, onRetry: true };

/** Creates a client's observers; undefined if there are none, so that a call does no work for them. */
export function createObservers(options: ClientOptions): Observers | undefined {
  const { hooks = {} } = options;
  checkNames(hooks, hookNames);
  const log = createLog(options);
  return options.hooks || log.error ? { hooks, log } : undefined;
}

/** Describes an attempt for hooks and logs. */
function attemptOf(metadata: RequestMetadata): Attempt {
  const { operation, method, origin, path, attempts: attempt, idempotencyKey } = metadata;
  return { operation, method, url: origin + path, attempt, idempotencyKey };
}

/** Logs an attempt. The text contains the data, too, because some loggers, such as pino, keep only the text. */
export function logAttempt(
  log: Logger[LogLevel] | undefined,
  metadata: RequestMetadata,
  event: string,
  more?: object,
): void {
  log?.(`${requestLine(metadata)} ${event} (attempt ${metadata.attempts})`, {
    ...attemptOf(metadata),
    ...more,
  });
}

/** Calls the hook with the next attempt's headers, and adds the headers that it sets. */
export async function callOnRequest(
  onRequest: NonNullable<Hooks['onRequest']>,
  metadata: RequestMetadata,
  headers: Headers,
  { Headers }: Platform,
): Promise<void> {
  // The hook gets a copy without the API key, because it may store or log the headers.
  const shown = new Headers(headers);
  shown.delete(names.apiKey);
  try {
    await onRequest({ ...attemptOf(metadata), attempt: metadata.attempts + 1, headers: shown });
  } catch (error) {
    throw new TopupUsageError('HOOK_FAILED', 'onRequest threw, see error.cause.', metadata, error);
  }
  addHeaders(headers, shown);
}

/** Reports a response with any status. `duration` is in milliseconds. */
export function reportResponse(
  { hooks, log }: Observers,
  metadata: RequestMetadata,
  { status, headers }: Response,
  duration: number,
): void {
  const { requestId } = metadata;
  logAttempt(log.debug, metadata, `${status} in ${Math.round(duration)} ms`, { status, duration, requestId });
  callHook(log, () => hooks.onResponse?.({ ...attemptOf(metadata), status, headers, duration }));
}

/** Reports that a failed attempt will be retried. */
export function reportRetry(
  { hooks, log }: Observers,
  metadata: RequestMetadata,
  error: AnyTopupError,
  delay: number,
): void {
  const { code, requestId } = error;
  logAttempt(log.info, metadata, `${code}, again in ${Math.round(delay)} ms`, { code, delay, requestId });
  callHook(log, () => hooks.onRetry?.({ ...attemptOf(metadata), error, delay }));
}

function callHook(log: Log, hook: () => unknown): void {
  void callObserver(hook, (error) => log.error?.('a hook threw', { error }));
}
