/**
 * Refuses what is not an object, and names that nobody reads: a slip of the pen would go unnoticed.
 *
 * @throws TypeError that lists what there is.
 */
export function checkNames(what: string, given: object, known: Readonly<Record<string, true>>): void {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${what} must be an object, got ${String(given)}.`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    throw new TypeError(
      `There is no ${JSON.stringify(unknown)} in ${what}; there are ${Object.keys(known).join(', ')}.`,
    );
}
