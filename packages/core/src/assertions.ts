/** Two values compared as JSON, with the keys of objects in any order. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'undefined'
  );
}

/** Throws when two values differ as JSON; for suites that run under any test runner or none. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (canonical(actual) !== canonical(expected))
    throw new Error(`${what}: expected ${canonical(expected)}, got ${canonical(actual)}`);
}

export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
