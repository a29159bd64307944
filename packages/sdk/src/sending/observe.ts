import type { AnyTopupError, RequestFacts } from '../errors/index.ts';
import { requestLine } from '../errors/topup-error.ts';
import type { Attempt, AttemptResponse, Hooks, Logger, LogLevel, TopupClientOptions } from '../options.ts';
import { checkChoice, variable } from '../request/check-options.ts';

/** The user's logger. Levels that are not logged are undefined, so that no data is prepared for them. */
export type Log = Partial<Logger>;

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** The options of a client's log. */
export type LogOptions = Pick<TopupClientOptions, 'logger' | 'logLevel'>;

/** What each line of the log begins with, so that its lines stand out from the application's own. */
export const logPrefix = 'topup-sdk: ';

let warned = false;

/** The level of the environment, which can turn logging on without a change of the code. A wrong one never stops it. */
function levelOfEnvironment({ logLevel }: LogOptions): LogLevel | undefined {
  const fromEnvironment = logLevel === undefined ? variable('TOPUP_LOG') : undefined;
  const level = levels.find((known) => known === fromEnvironment);
  if (fromEnvironment !== undefined && level === undefined && !warned) {
    warned = true;
    // biome-ignore lint/suspicious/noConsole: whoever set the variable looks for the log there.
    console.warn(`${logPrefix}TOPUP_LOG is ignored: it must be one of ${levels.join(', ')}.`);
  }
  return level;
}

/** Where a client logs to. */
export const loggerOf = (options: LogOptions): Logger | undefined =>
  options.logger ?? (levelOfEnvironment(options) === undefined ? undefined : console);

export function createLog(options: LogOptions): Log {
  const lowest = options.logLevel ?? levelOfEnvironment(options) ?? 'warn';
  checkChoice('logLevel', lowest, levels);
  const logger = loggerOf(options);
  if (logger === undefined) return {};
  return Object.fromEntries(
    levels
      .slice(levels.indexOf(lowest))
      .map((level) => [
        level,
        (message, facts) => void callObserver(() => logger[level](logPrefix + message, facts)),
      ]),
  );
}

/** Calls a logger or a hook of the user. Its errors must not make a call fail whose order was created. */
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

/** The hooks and the logger of a client. */
interface Observers {
  hooks: Hooks;
  log: Log;
}

interface ObservedRequest {
  facts: RequestFacts;
}

/** The description of an attempt for hooks and logs. */
export const attemptOf = ({ facts }: ObservedRequest): Attempt => {
  const { operation, method, origin, path, attempts: attempt, idempotencyKey } = facts;
  return { operation, method, url: origin + path, attempt, idempotencyKey };
};

/** Logs an attempt. The text has the facts too, because some loggers, such as pino, keep only that. */
export function logAttempt(
  log: Logger[LogLevel] | undefined,
  request: ObservedRequest,
  event: string,
  more?: object,
): void {
  const { facts } = request;
  log?.(`${requestLine(facts)} ${event} (attempt ${facts.attempts})`, { ...attemptOf(request), ...more });
}

/** Reports a response with any status. */
export function reportResponse(
  { hooks, log }: Observers,
  request: ObservedRequest,
  response: AttemptResponse,
): void {
  const { status, duration } = response;
  const { requestId } = request.facts;
  logAttempt(log.debug, request, `${status} in ${Math.round(duration)} ms`, { status, duration, requestId });
  callHook(log, () => hooks.onResponse?.({ ...attemptOf(request), ...response }));
}

/** Reports that a failed attempt will be retried. */
export function reportRetry(
  { hooks, log }: Observers,
  request: ObservedRequest,
  error: AnyTopupError,
  delay: number,
): void {
  const { code, requestId } = error;
  logAttempt(log.info, request, `${code}, again in ${Math.round(delay)} ms`, { code, delay, requestId });
  callHook(log, () => hooks.onRetry?.({ ...attemptOf(request), error, delay }));
}

function callHook(log: Log, hook: () => unknown): void {
  void callObserver(hook, (error) => log.error?.('a hook threw', { error }));
}
