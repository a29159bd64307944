import type { Logger, LogLevel } from '../options.ts';
import { checkChoice } from '../request/check-option.ts';

/** The user's logger; a level that is not written is undefined, so that nothing is prepared for it. */
export type Log = Partial<Logger>;

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function createLog(logger: Logger | undefined, least: LogLevel): Log {
  checkChoice('logLevel', least, levels);
  if (logger === undefined) return {};
  return Object.fromEntries(
    levels
      .slice(levels.indexOf(least))
      .map((level) => [level, (message, facts) => void endNothing(() => logger[level](message, facts))]),
  );
}

/** What the user has us call to watch must not lose an order that was made, whether it throws or rejects. */
export async function endNothing(watch: () => unknown, onFailure?: (error: unknown) => void): Promise<void> {
  try {
    await watch();
  } catch (error) {
    onFailure?.(error);
  }
}
