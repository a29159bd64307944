import { canonicalJson } from './platform/index.ts';

/** Throws when two values differ as JSON; for suites that run under any test runner or none. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (canonicalJson(actual) !== canonicalJson(expected))
    throw new Error(`${what}: expected ${canonicalJson(expected)}, got ${canonicalJson(actual)}`);
}

export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
