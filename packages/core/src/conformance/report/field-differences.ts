import * as z from 'zod/mini';
import { answerSchemas, type Dialect, type Operation, routes } from '../../contract/index.ts';
import { readInDialect } from '../dialect/read-in-dialect.ts';
import { isContainer } from '../json-path.ts';

/** A field that the contract has otherwise. Paths are as in `$.games[].slug`, whatever the index. */
export interface FieldDifference {
  request: string;
  at: string;
  kind: 'missing' | 'extra' | 'type';
  expected: string;
  came: string;
}

/** `$.games[].category.title` for `games.0.category.title`. */
const pathOf = (keys: readonly PropertyKey[]): string =>
  keys.reduce<string>((path, key) => path + (/^\d+$/.test(String(key)) ? '[]' : `.${String(key)}`), '$');

type JsonSchema = z.core.JSONSchema._JSONSchema;

/** The paths of all fields that a schema has. */
function* knownPaths(schema: JsonSchema | undefined, path = '$'): Generator<string> {
  if (typeof schema !== 'object') return;
  yield path;
  for (const [field, inside] of Object.entries(schema.properties ?? {}))
    yield* knownPaths(inside, `${path}.${field}`);
  for (const either of schema.anyOf ?? []) yield* knownPaths(either, path);
  if (schema.items && !Array.isArray(schema.items)) yield* knownPaths(schema.items, `${path}[]`);
}

/** The outermost fields of a body that are none of the known ones. */
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

function standsAt(body: unknown, keys: readonly PropertyKey[]): unknown {
  let value = body;
  for (const key of keys) value = isContainer(value) ? value[String(key)] : undefined;
  return value;
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return issue.expected === 'int' ? 'integer' : issue.expected;
  return issue.code === 'invalid_value' ? `one of ${issue.values.join(', ')}` : issue.message;
}

/** A text that stands for nothing but itself is shown; anything longer is only named by its type. */
const shown = (value: unknown): string =>
  typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : typeOf(value);

/** How the fields of an operation's successful answer differ from the contract, each difference once. */
export function fieldDifferences(operation: Operation, text: string, dialect: Dialect): FieldDifference[] {
  const body = readInDialect(text, dialect);
  const schema = answerSchemas[operation];
  const request = `${routes[operation].method} ${routes[operation].path}`;
  if (body === undefined) return [{ request, at: '$', kind: 'type', expected: 'object', came: 'no JSON' }];
  const known = new Set(knownPaths(z.toJSONSchema(schema)));
  const wrong = (schema.safeParse(body).error?.issues ?? []).map((issue): FieldDifference => {
    const value = standsAt(body, issue.path);
    const missing = value === undefined;
    return {
      request,
      at: pathOf(issue.path),
      kind: missing ? 'missing' : 'type',
      expected: expectation(issue),
      came: missing ? 'nothing' : shown(value),
    };
  });
  const extra = [...extras(body, known)].map((keys): FieldDifference => {
    const came = typeOf(standsAt(body, keys));
    return { request, at: pathOf(keys), kind: 'extra', expected: 'no such field', came };
  });
  return [...new Map([...wrong, ...extra].map((one) => [JSON.stringify(one), one])).values()];
}
