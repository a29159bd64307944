import { isObject } from './is-object.ts';

/** Deeper than any answer of the contract; what is deeper is left out. */
const deepest = 32;

/** The value without the secret in any of its texts; one as short as a word would blot out honest text. */
export function redact(value: unknown, secret: string | undefined, depth = 0): unknown {
  if (typeof value === 'string')
    return secret !== undefined && secret.length >= 8 ? value.replaceAll(secret, '[apiKey]') : value;
  if (depth === deepest) return undefined;
  const clean = (inner: unknown): unknown => redact(inner, secret, depth + 1);
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), clean(inner)]));
}
