/**
 * Checks that a value is an object with known names only, so that typing mistakes are reported.
 *
 * @throws TypeError that lists the known names.
 */
export function checkNames(what: string, given: object, known: Readonly<Record<string, true>>): void {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${what} must be an object, got ${String(given)}.`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    throw new TypeError(
      `Unknown name ${JSON.stringify(unknown)} in ${what}. Known names: ${Object.keys(known).join(', ')}.`,
    );
}
