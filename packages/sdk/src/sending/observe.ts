import type { AnyTopupError, RequestFacts } from '../errors/index.ts';
import type { Attempt, AttemptResponse, Hooks, Logger, LogLevel, TopupClientOptions } from '../options.ts';
import { checkChoice } from '../request/check-options.ts';
import { variable } from '../request/environment.ts';

/** The user's logger. Levels that are not logged are undefined, so that no data is prepared for them. */
export type Log = Partial<Logger>;

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** The options of a client's log. */
export type LogOptions = Pick<TopupClientOptions, 'logger' | 'logLevel'>;

/** The level of the environment, which can turn logging on without a change of the code. */
const levelOfEnvironment = ({ logLevel }: LogOptions): string | undefined =>
  logLevel === undefined ? variable('TOPUP_LOG') : undefined;

/** Where a client logs to. */
export const loggerOf = (options: LogOptions): Logger | undefined =>
  options.logger ?? (levelOfEnvironment(options) === undefined ? undefined : console);

export function createLog(options: LogOptions): Log {
  const ofEnvironment = levelOfEnvironment(options);
  const lowest = options.logLevel ?? ofEnvironment ?? 'warn';
  checkChoice(ofEnvironment === undefined ? 'logLevel' : 'TOPUP_LOG', lowest, levels);
  const logger = loggerOf(options);
  if (logger === undefined) return {};
  return Object.fromEntries(
    levels
      // safe: it was checked above
      .slice(levels.indexOf(lowest as LogLevel))
      .map((level) => [level, (message, facts) => void callObserver(() => logger[level](message, facts))]),
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

/** Reports a response with any status. */
export function reportResponse(
  { hooks, log }: Observers,
  request: ObservedRequest,
  response: AttemptResponse,
): void {
  const { status, duration } = response;
  log.debug?.('received', { ...attemptOf(request), status, duration });
  callHook(log, () => hooks.onResponse?.({ ...attemptOf(request), ...response }));
}

/** Reports that a failed attempt will be retried. */
export function reportRetry(
  { hooks, log }: Observers,
  request: ObservedRequest,
  error: AnyTopupError,
  delay: number,
): void {
  log.info?.('retrying', { ...attemptOf(request), code: error.code, delay });
  callHook(log, () => hooks.onRetry?.({ ...attemptOf(request), error, delay }));
}

function callHook(log: Log, hook: () => unknown): void {
  void callObserver(hook, (error) => log.error?.('a hook threw', { error }));
}
