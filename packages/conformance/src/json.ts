export const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Returns the value at a path such as `games.0.slug`, or at a list of keys. The empty path means the whole body. */
export function valueAt(body: unknown, path: string | readonly PropertyKey[]): unknown {
  const keys = typeof path === 'string' ? path.split('.').filter((key) => key !== '') : path;
  let value = body;
  for (const key of keys) value = isContainer(value) ? value[String(key)] : undefined;
  return value;
}

/** Formats a path for display: `$.games[0].slug`. */
export const jsonPath = (path: string): string =>
  path === '' ? '$' : `$.${path}`.replace(/\.(\d+)(?=\.|$)/g, '[$1]');

/** Returns the paths of fields in a body that the schema doesn't know. */
export function extraFields(body: unknown, read: unknown, path = ''): string[] {
  if (!isContainer(body)) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const below = path === '' ? key : `${path}.${key}`;
    const known = isContainer(read) && Object.hasOwn(read, key);
    return known ? extraFields(value, read[key], below) : [below];
  });
}

/** Tells whether two values are the same JSON, whatever the order of fields. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** Returns the objects of the list at a path of a body; empty if there is no list. */
export function objectsAt(body: unknown, path: string): Record<string, unknown>[] {
  const list = valueAt(body, path);
  return Array.isArray(list) ? list.filter(isContainer) : [];
}

export function textAt(body: unknown, path: string): string | undefined {
  const value = valueAt(body, path);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(body: unknown, path: string): number | undefined {
  const value = valueAt(body, path);
  return typeof value === 'number' ? value : undefined;
}
