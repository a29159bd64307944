import { canonicalJson } from '@topup-kit/core/platform';

/** Throws if two values differ as JSON. It works with any test runner, or without one. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (canonicalJson(actual) !== canonicalJson(expected))
    throw new Error(`${what}: expected ${canonicalJson(expected)}, got ${canonicalJson(actual)}`);
}

export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** Returns all parts of an error that a log may show: its stack, its message and its causes. The error may come from another realm. */
export function loggedText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { stack, message, cause }: { stack?: unknown; message?: unknown; cause?: unknown } = error;
  const own = message === undefined ? canonicalJson(error) : `${stack} ${message}`;
  return cause === undefined ? own : `${own} ${loggedText(cause)}`;
}

/** Returns the error with which a call rejects; throws if the call succeeds. */
export async function rejectionOf(call: Promise<unknown>, what: string): Promise<unknown> {
  const outcome = await call.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error(`${what}: it must reject, but returned ${canonicalJson(outcome.result)}`);
}
