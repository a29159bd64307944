import type { AnyTopupError } from '../errors/index.ts';
import type { Answered, Attempt } from '../options.ts';
import type { Config } from '../request/config.ts';
import type { PreparedRequest } from '../request/prepare.ts';
import { endNothing } from './log.ts';

/** What hooks are told of an attempt. */
export const attemptOf = ({ url, facts }: PreparedRequest): Attempt => {
  const { operation, method, attempts: attempt, idempotencyKey } = facts;
  return { operation, method, url, attempt, idempotencyKey };
};

/** Tells of an answer, whatever its status. */
export function answered({ hooks, log }: Config, request: PreparedRequest, answer: Answered): void {
  const { status, duration } = answer;
  log.debug?.('answered', { ...attemptOf(request), status, duration });
  tell(log, () => hooks.onResponse?.({ ...attemptOf(request), ...answer }));
}

/** Tells that the call goes on after a failed attempt. */
export function retrying(
  { hooks, log }: Config,
  request: PreparedRequest,
  error: AnyTopupError,
  delay: number,
): void {
  log.info?.('trying again', { ...attemptOf(request), code: error.code, delay });
  tell(log, () => hooks.onRetry?.({ ...attemptOf(request), error, delay }));
}

function tell(log: Config['log'], hook: () => unknown): void {
  void endNothing(hook, (error) => log.error?.('a hook threw', { error }));
}
