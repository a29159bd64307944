/** Tells whether a JSON value is an object, not an array or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a JSON text; returns undefined if it is invalid. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Values of `success` that mean failure in a 2xx response (interface 7.1: `success` is `false`). */
const failureFlags = new Set<unknown>([false, 0, '', '0', 'false']);

/** Tells whether a response with this JSON is successful. */
export const isSuccess = ({ ok }: Response, body: unknown): body is Record<string, unknown> =>
  ok && isObject(body) && !failureFlags.has(body.success);

/** Returns the id of the order in a response. */
export function orderIdOf(body: unknown): string | undefined {
  const { orderId, data }: Record<string, unknown> = Object(body);
  return [orderId, isObject(data) && data.order_id].find(
    (id): id is string => typeof id === 'string' && id !== '',
  );
}

/** Removes the API key from a string. A short key is not replaced, because it could be an ordinary word. */
export const withoutKey = (text: string, apiKey: string | undefined): string =>
  apiKey !== undefined && apiKey.length >= 8 ? text.replaceAll(apiKey, '[apiKey]') : text;
