/**
 * Tells a developer which globals of the Web platform `subject` lacks, and how to add them; undefined if none is missing. Jest's jsdom
 * lacks most of them.
 *
 * @example
 * missingGlobals('@topup-kit/sdk', ['Request', 'fetch']);
 * // '@topup-kit/sdk needs Request and fetch, which this environment lacks. In Jest with jsdom, ...'
 */
export function missingGlobals(subject: string, needed: readonly string[]): string | undefined {
  const missing = needed.filter((name) => Reflect.get(globalThis, name) === undefined);
  if (missing.length === 0) return undefined;
  const names = missing.join(', ').replace(/, (\w+)$/, ' and $1');
  return (
    `${subject} needs ${names}, which this environment lacks. In Jest with jsdom, use jest-fixed-jsdom. Otherwise use ` +
    'Node 20.19 or later.'
  );
}
