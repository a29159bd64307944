/** Tells whether a parsed JSON value is an object, and not a list or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
