import type { Kind } from '@topup-kit/sdk/internal/client';
import { isObject } from '../json.ts';

// A service may send any JSON. Screens read only values that were fitted to the contract here; documents show the received values.

/** Shape from the SDK: an object with at least these fields. `map` is an object with any field names. */
export interface Fields {
  readonly [name: string]: Shape;
}

type Tagged = readonly [tag: 'array' | 'nullable' | 'optional' | 'map', of: Shape];
type Shape = Kind | Fields | Tagged;

/** Received value of each fitted object and list. */
const received = new WeakMap<object, unknown>();
let hasDepartures = false;

/** Returns a value as the service sent it, before it was fitted. */
export function asReceived(value: unknown): unknown {
  if (!hasDepartures || typeof value !== 'object' || value === null) return value;
  if (received.has(value)) return received.get(value);
  if (Array.isArray(value)) return value.map(asReceived);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asReceived(inner)]));
}

function remember<Fitted extends object>(fitted: Fitted, value: unknown): Fitted {
  received.set(fitted, value);
  return fitted;
}

/** Maximum length of a shown value, in characters. */
const longest = 60;

function shown(value: unknown, apiKey: string): string {
  const whole = value === undefined ? 'missing' : (JSON.stringify(value) ?? typeof value);
  // The service may repeat the key.
  const text = apiKey === '' ? whole : whole.replaceAll(apiKey, '[API key]');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const kindWords: Record<Kind, string> = {
  string: 'a text',
  integer: 'a number',
  number: 'a number',
  boolean: 'true or false',
  true: 'true',
};

function isKind(kind: Kind, value: unknown): boolean {
  if (kind === 'integer' || kind === 'number') return Number.isFinite(value);
  return typeof value === (kind === 'true' ? 'boolean' : kind);
}

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);

/** Returns the nearest value of the kind. An invalid amount stays a string, which `money` and tables show unchanged. */
function nearest(kind: Kind, value: unknown, name: string): unknown {
  // Games and products are open unless the service closes them.
  if (kind === 'boolean' || kind === 'true') return booleans.get(value) ?? name === 'status';
  if (kind === 'string') {
    if (value === undefined || value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  if (typeof value !== 'string' || value === '') return Number.NaN;
  return /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value;
}

/**
 * Fits a response to a shape: a missing field becomes empty, and a value of another kind becomes the nearest valid value. Returns the
 * departures, such as `data.total_price is "22000" instead of a number`, without the API key. The list is empty for a response as
 * documented, which stays unchanged.
 *
 * @example
 * fitResponse({ data: { total: 'integer' } }, { data: null }, 'tk_test_...'); // ['data is null instead of an object']
 */
export function fitResponse(fields: Fields, body: object, apiKey: string): string[] {
  const departures: string[] = [];
  const note = (path: string, value: unknown, expected: string): void => {
    departures.push(`${path} is ${shown(value, apiKey)} instead of ${expected}`);
  };

  function fitFields(shape: Fields, value: Record<string, unknown>, path: string): Record<string, unknown> {
    const fitted = new Map(Object.entries(value));
    for (const [name, inner] of Object.entries(shape)) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      const place = path === '' ? name : `${path}.${name}`;
      const next = fit(inner, own, place, name);
      if (next !== undefined) fitted.set(name, next);
      else fitted.delete(name);
    }
    return Object.fromEntries(fitted);
  }

  function fitTagged([tag, inner]: Tagged, value: unknown, path: string, name: string): unknown {
    if (tag === 'array') {
      if (!Array.isArray(value)) note(path, value, 'a list');
      const items = Array.isArray(value) ? value : [];
      return remember(
        items.map((item, index) => fit(inner, item, `${path}[${index}]`, name)),
        value,
      );
    }
    if (tag === 'map') {
      if (!isObject(value)) note(path, value, 'an object');
      const entries = isObject(value) ? Object.entries(value) : [];
      return remember(
        Object.fromEntries(entries.map(([key, item]) => [key, fit(inner, item, `${path}.${key}`, key)])),
        value,
      );
    }
    const none = tag === 'nullable' ? null : undefined;
    if (value === none) return none;
    if (value !== null && value !== undefined) return fit(inner, value, path, name);
    note(path, value, tag === 'nullable' ? 'a value or null' : 'a value');
    return none;
  }

  function fit(shape: Shape, value: unknown, path: string, name: string): unknown {
    if (typeof shape === 'string') {
      if (isKind(shape, value)) return value;
      note(path, value, kindWords[shape]);
      return nearest(shape, value, name);
    }
    if (Array.isArray(shape)) return fitTagged(shape as Tagged, value, path, name); // Safe: only tagged shapes are lists.
    const inner = shape as Fields; // Safe: the shape is neither a kind nor tagged.
    if (isObject(value)) return remember(fitFields(inner, value, path), value);
    note(path, value, 'an object');
    const noted = departures.length;
    const fitted = remember(fitFields(inner, {}, path), value);
    departures.length = noted;
    return fitted;
  }

  const copy = { ...body };
  const fitted = fitFields(fields, copy, '');
  if (departures.length > 0) {
    hasDepartures = true;
    remember(Object.assign(body, fitted), copy);
  }
  return departures;
}

const mostNamed = 3;

/** Describes the departures for a person. */
export function departureWords(departures: readonly string[]): string {
  const more = departures.length - mostNamed;
  return `Warning: the response is not as documented. ${departures.slice(0, mostNamed).join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
