import type { Operation } from '@topup-kit/core/contract';
import type { RequestMetadata } from '../errors/topup-error.ts';
import type { CheckResponse } from '../sending/config.ts';
import { isObject } from '../sending/json.ts';
import { responseShapes } from './generated/response-shapes.ts';
import type { Fields, Kind, Shape } from './shape.ts';

/** A difference between a response and the contract. It contains types but no values, because values may be personal data. */
export interface Mismatch {
  /** JSON path of the field, such as `$.games[3].title`; `$` is the whole response. */
  path: string;
  /** The expected type: `string`, `integer`, `object`, `array`, `string or null`. */
  expected: string;
  /** The actual type: one of the above, or `null`, `number` (not a safe integer), `nothing` (a missing field). */
  received: string;
}

/**
 * Returns the first difference between a successful response and the contract, in the order of the fields; undefined if there is none.
 * Unknown fields and unknown enum values are allowed, so that clients keep working with newer services.
 *
 * @example
 * findMismatch('listGames', { success: true, games: [{ id: '11' }] });
 * // { path: '$.games[0].id', expected: 'integer', received: 'string' }
 */
export function findMismatch(operation: Operation, body: unknown): Mismatch | undefined {
  const mismatch = mismatchOf(responseShapes[operation], body);
  return mismatch && within('$', mismatch);
}

/** Called for a difference, and for an operation whose end the service announces (RFC 9745, RFC 8594). */
export interface Report {
  /** Throws to reject the response. */
  onMismatch: (mismatch: Mismatch, metadata: RequestMetadata, response: Response, body: unknown) => void;
  onDeprecation: (operation: Operation, sunset: string | null) => void;
}

export const checkWith =
  ({ onMismatch, onDeprecation }: Report): CheckResponse =>
  (operation, body, response, metadata) => {
    const mismatch = findMismatch(operation, body);
    if (mismatch) onMismatch(mismatch, metadata, response, body);
    const sunset = response.headers.get('Sunset');
    if (sunset ?? response.headers.get('Deprecation')) onDeprecation(operation, sunset);
  };

/** Finds the first difference between a value and a shape, in the order of its fields; undefined if there is none. */
function mismatchOf(shape: Shape, value: unknown): Mismatch | undefined {
  if (typeof shape === 'string') return isA(shape, value) ? undefined : mismatch(shape, value);
  if (!isTagged(shape)) return mismatchInFields(shape, value);
  const [tag, inner] = shape;
  if (tag === 'array') return mismatchInItems(inner, value);
  if (value === (tag === 'nullable' ? null : undefined)) return undefined;
  const difference = mismatchOf(inner, value);
  if (difference?.path === '') difference.expected += tag === 'nullable' ? ' or null' : ' or nothing';
  return difference;
}

function mismatchInFields(fields: Fields, value: unknown): Mismatch | undefined {
  if (!isObject(value)) return mismatch('object', value);
  for (const [name, shape] of entriesOf(fields)) {
    const difference = mismatchOf(shape, value[name]);
    if (difference) return within(`.${name}`, difference);
  }
  return undefined;
}

const cache = new Map<Fields, [string, Shape][]>();

/** Returns the fields of a shape as entries. They are cached, because the items of a list have the same fields. */
function entriesOf(fields: Fields): [string, Shape][] {
  const entries = cache.get(fields) ?? Object.entries(fields);
  cache.set(fields, entries);
  return entries;
}

function mismatchInItems(shape: Shape, value: unknown): Mismatch | undefined {
  if (!Array.isArray(value)) return mismatch('array', value);
  for (let index = 0; index < value.length; index += 1) {
    const difference = mismatchOf(shape, value[index]);
    if (difference) return within(`[${index}]`, difference);
  }
  return undefined;
}

function isA(kind: Kind, value: unknown): boolean {
  if (kind === 'true') return value === true;
  if (kind === 'integer') return Number.isSafeInteger(value);
  return typeof value === kind && (kind !== 'number' || Number.isFinite(value));
}

const mismatch = (expected: string, value: unknown): Mismatch => ({
  path: '',
  expected,
  received: kindOf(value),
});

/** Returns the difference with `place` prepended to its path. */
const within = (place: string, found: Mismatch): Mismatch => ({ ...found, path: place + found.path });

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isSafeInteger(value) ? 'integer' : typeof value;
}

const isTagged = (shape: Exclude<Shape, Kind>): shape is Exclude<Shape, Kind | Fields> =>
  Array.isArray(shape);
