const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In a list, what has nothing there is an empty object, so that all keep their places. */
function pickFromList(list: readonly unknown[], path: readonly string[]): unknown {
  const picked = list.map((item) => pickPath(item, path));
  if (list.length > 0 && picked.every((item) => item === undefined)) return undefined;
  return picked.map((item) => item ?? {});
}

/** What one path picks; undefined where nothing stands there. */
function pickPath(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) return pickFromList(value, path);
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
  const picked = pickPath(value[name], rest);
  return picked === undefined ? undefined : { [name]: picked };
}

function merge(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return one.map((item, index) => merge(item, other[index]));
  if (!isObject(one) || !isObject(other)) return other;
  const both = { ...one, ...other };
  return Object.fromEntries(
    Object.entries(both).map(([name, value]) => [
      name,
      Object.hasOwn(one, name) && Object.hasOwn(other, name) ? merge(one[name], value) : value,
    ]),
  );
}

export interface Picked {
  document: unknown;
  /** Paths at which nothing stands. */
  missing: string[];
}

/**
 * The parts of a document that paths such as `orderId` or `games.slug` name, in their places; a path goes through
 * every item of a list.
 *
 * @example
 * pickFields({ games: [{ slug: 'a', id: 1 }], success: true }, ['games.slug']).document; // { games: [{ slug: 'a' }] }
 */
export function pickFields(document: unknown, paths: readonly string[]): Picked {
  const picked = paths.map((path) => pickPath(document, path.split('.')));
  const found = picked.filter((part) => part !== undefined);
  return {
    document: found.length === 0 ? {} : found.reduce<unknown>(merge, undefined),
    missing: paths.filter((_path, index) => picked[index] === undefined),
  };
}
