import { suggestSimilar } from '@topup-kit/core/contract';

/**
 * Checks that a function's options are an object with only known names, so that mistyped names are reported.
 *
 * @throws TypeError that suggests the most similar name, and lists all names.
 */
export function checkNames(of: string, given: object, known: Readonly<Record<string, true>>): void {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`The options of ${of} must be an object, got ${String(given)}.`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    throw new TypeError(
      `unknown option ${JSON.stringify(unknown)} of ${of}. ${suggestion(unknown, Object.keys(known), 'options')}`,
    );
}

/** Returns a string such as `Did you mean latency? The options are ...`. */
export function suggestion(typed: string, known: readonly string[], kind: string): string {
  const near = suggestSimilar(String(typed), known).join(' or ');
  return `${near && `Did you mean ${near}? `}The ${kind} are ${known.join(', ')}.`;
}
