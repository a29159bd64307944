export const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** What stands at a path such as `data.pricing.total_price` or `games.0.slug`; the empty path is the whole. */
export function valueAt(body: unknown, path: string): unknown {
  if (path === '') return body;
  let value = body;
  for (const key of path.split('.')) value = isContainer(value) ? value[key] : undefined;
  return value;
}

/** A path as people write it: `$.games[0].slug`. */
export const jsonPath = (path: string): string =>
  path === '' ? '$' : `$.${path}`.replace(/\.(\d+)(?=\.|$)/g, '[$1]');

/** The paths of a body that a schema's reading of it has left out: fields that it doesn't know. */
export function extraFields(body: unknown, read: unknown, path = ''): string[] {
  if (!isContainer(body)) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const below = path === '' ? key : `${path}.${key}`;
    const known = isContainer(read) && Object.hasOwn(read, key);
    return known ? extraFields(value, read[key], below) : [below];
  });
}

/** Whether two values are the same JSON; the fields of an object may stand in any order. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}
