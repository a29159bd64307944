import { type Dialect, type Operation, routes } from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';
import * as z from 'zod/mini';
import { readInDialect } from '../dialect.ts';
import type { Difference, SpecReference } from '../failure.ts';
import { isContainer, valueAt } from '../json.ts';
import type { ConformanceCase } from '../probe.ts';
import type { ConformanceResult } from '../run.ts';

/** A difference between a service and the contract. */
export interface ServiceDifference {
  /** `value`: any difference other than a missing or extra field, a field's type, a status or a header. */
  kind: FieldDifference['kind'] | 'status' | 'header' | 'value';
  /** Source of the violated rule: the interface, or an extension of this kit. An `extra` field violates neither. */
  origin: ConformanceCase['origin'];
  /** Method and path, as in `POST /order`. */
  request: string;
  /** JSON path or header; left out for the whole response. */
  at?: string | undefined;
  expected: string;
  received: string;
  /** The sentence of the contract, if a case found the difference. */
  by?: SpecReference;
}

const ofInterface = new Set(
  [routes.listGames, routes.createOrder].map(({ method, path }) => `${method} ${path}`),
);

function kindOf({ at, expected }: Difference): ServiceDifference['kind'] {
  if (at?.startsWith('header ')) return 'header';
  return at === undefined && expected.startsWith('status ') ? 'status' : 'value';
}

/** Returns a name that is the same for a field in all elements of a list. */
const place = ({ request, at = '' }: Pick<ServiceDifference, 'request' | 'at'>): string =>
  `${request} ${at.replace(/\[\d+\]/g, '[]')}`;

const rank = ({ origin }: ServiceDifference): number => (origin === 'interface' ? 0 : 1);

/** Returns all differences from cases and fields, without duplicates. */
export function differencesOf(
  results: readonly ConformanceResult[],
  fields: readonly FieldDifference[],
): ServiceDifference[] {
  const ofFields = fields.map((field): ServiceDifference => {
    const origin = ofInterface.has(field.request) ? 'interface' : 'extension';
    return { ...field, origin };
  });
  const known = new Set(ofFields.map(place));
  const ofCases = results.flatMap(({ origin, difference }): ServiceDifference[] =>
    difference && !known.has(place(difference)) ? [{ kind: kindOf(difference), origin, ...difference }] : [],
  );
  const once = new Map(
    [...ofFields, ...ofCases].map((difference) => [JSON.stringify(difference), difference]),
  );
  return [...once.values()].toSorted((a, b) => rank(a) - rank(b));
}

/** A field that differs from the contract. Paths have no indexes: `$.games[].slug`. */
interface FieldDifference {
  request: string;
  at: string;
  kind: 'missing' | 'extra' | 'type';
  expected: string;
  received: string;
}

/** Returns `$.games[].category.title` for `games.0.category.title`. */
const pathOf = (keys: readonly PropertyKey[]): string =>
  keys.reduce<string>((path, key) => path + (/^\d+$/.test(String(key)) ? '[]' : `.${String(key)}`), '$');

type JsonSchema = z.core.JSONSchema._JSONSchema;

function* knownPaths(schema: JsonSchema | undefined, path = '$'): Generator<string> {
  if (typeof schema !== 'object') return;
  yield path;
  for (const [field, inside] of Object.entries(schema.properties ?? {}))
    yield* knownPaths(inside, `${path}.${field}`);
  for (const either of schema.anyOf ?? []) yield* knownPaths(either, path);
  if (schema.items && !Array.isArray(schema.items)) yield* knownPaths(schema.items, `${path}[]`);
}

/** Returns the outermost unknown fields of a body. */
function* extras(value: unknown, known: ReadonlySet<string>, keys: string[] = []): Generator<string[]> {
  if (!known.has(pathOf(keys))) return yield keys;
  if (isContainer(value))
    for (const [key, inside] of Object.entries(value)) yield* extras(inside, known, [...keys, key]);
}

const typeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'object'
        ? 'object'
        : typeof value;

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return issue.expected === 'int' ? 'integer' : issue.expected;
  return issue.code === 'invalid_value' ? `one of ${issue.values.join(', ')}` : issue.message;
}

/** Shows a short text; for any other value, only its type. */
const shown = (value: unknown): string =>
  typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : typeOf(value);

/** Compares the fields of an operation's success response with the contract, without duplicates. */
export function fieldDifferences(operation: Operation, text: string, dialect: Dialect): FieldDifference[] {
  const body = readInDialect(text, dialect);
  const schema = responseSchemas[operation];
  const request = `${routes[operation].method} ${routes[operation].path}`;
  if (body === undefined)
    return [{ request, at: '$', kind: 'type', expected: 'object', received: 'no JSON' }];
  const known = new Set(knownPaths(z.toJSONSchema(schema)));
  const wrong = (schema.safeParse(body).error?.issues ?? []).map((issue): FieldDifference => {
    const value = valueAt(body, issue.path);
    const missing = value === undefined;
    return {
      request,
      at: pathOf(issue.path),
      kind: missing ? 'missing' : 'type',
      expected: expectation(issue),
      received: missing ? 'nothing' : shown(value),
    };
  });
  const extra = [...extras(body, known)].map((keys): FieldDifference => {
    const received = typeOf(valueAt(body, keys));
    return { request, at: pathOf(keys), kind: 'extra', expected: 'no such field', received };
  });
  return [
    ...new Map([...wrong, ...extra].map((difference) => [JSON.stringify(difference), difference])).values(),
  ];
}
