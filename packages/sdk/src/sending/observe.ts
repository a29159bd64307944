import type { AnyTopupError, RequestFacts } from '../errors/index.ts';
import type { Attempt, AttemptResponse, Hooks, Logger, LogLevel } from '../options.ts';
import { checkChoice } from '../request/check-options.ts';

/** The user's logger; a level that is not written is undefined, so that nothing is prepared for it. */
export type Log = Partial<Logger>;

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function createLog(logger: Logger | undefined, least: LogLevel): Log {
  checkChoice('logLevel', least, levels);
  if (logger === undefined) return {};
  return Object.fromEntries(
    levels
      .slice(levels.indexOf(least))
      .map((level) => [level, (message, facts) => void callObserver(() => logger[level](message, facts))]),
  );
}

/** What the user has us call to watch must not lose an order that was made, whether it throws or rejects. */
export async function callObserver(
  watch: () => unknown,
  onFailure?: (error: unknown) => void,
): Promise<void> {
  try {
    await watch();
  } catch (error) {
    onFailure?.(error);
  }
}

/** Who is told what a call does. */
interface Observers {
  hooks: Hooks;
  log: Log;
}

interface ObservedRequest {
  url: string;
  facts: RequestFacts;
}

/** What hooks are told of an attempt. */
export const attemptOf = ({ url, facts }: ObservedRequest): Attempt => {
  const { operation, method, attempts: attempt, idempotencyKey } = facts;
  return { operation, method, url, attempt, idempotencyKey };
};

/** Tells of an answer, whatever its status. */
export function reportResponse(
  { hooks, log }: Observers,
  request: ObservedRequest,
  response: AttemptResponse,
): void {
  const { status, duration } = response;
  log.debug?.('answered', { ...attemptOf(request), status, duration });
  callHook(log, () => hooks.onResponse?.({ ...attemptOf(request), ...response }));
}

/** Tells that the call goes on after a failed attempt. */
export function reportRetry(
  { hooks, log }: Observers,
  request: ObservedRequest,
  error: AnyTopupError,
  delay: number,
): void {
  log.info?.('trying again', { ...attemptOf(request), code: error.code, delay });
  callHook(log, () => hooks.onRetry?.({ ...attemptOf(request), error, delay }));
}

function callHook(log: Log, hook: () => unknown): void {
  void callObserver(hook, (error) => log.error?.('a hook threw', { error }));
}
