/** The path of a value in a body: field names and list indexes. */
export type Place = readonly (string | number)[];

/** The path of every value in a body. */
export function placesIn(body: unknown, here: Place = []): Place[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const place = [...here, Array.isArray(body) ? Number(name) : name];
    return [place, ...placesIn(value, place)];
  });
}

/** `$.games[3].title` */
export const jsonPath = (place: readonly PropertyKey[]): string =>
  place.reduce<string>(
    (path, part) => path + (typeof part === 'number' ? `[${part}]` : `.${String(part)}`),
    '$',
  );

export const valueAt = (body: unknown, place: readonly PropertyKey[]): unknown =>
  // Safe: reading a missing property returns undefined.
  place.reduce((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], body);

/** A copy of the body with another value at a path; `undefined` removes the field. */
export function replaced(body: unknown, place: Place, value: unknown): unknown {
  const copy = structuredClone(body);
  const last = place.at(-1) ?? '';
  const holder = valueAt(copy, place.slice(0, -1));
  if (typeof holder !== 'object' || holder === null) return copy; // an earlier change took the place away
  if (value === undefined) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, value);
  return copy;
}
