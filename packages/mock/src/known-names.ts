/**
 * Rejects what is not an object, and unknown names, so that a typing mistake doesn't go unnoticed.
 *
 * @throws TypeError that lists the known names.
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
