import * as z from 'zod/mini';
import { openShapes } from '../errors.ts';
import { orderFields } from '../fields.ts';
import { paymentGroups } from '../generated/types.ts';
import { type Dialect, dialectProblems, kitDialect, maxExpiryMinutes } from './dialect.ts';

/** Differences from another dialect. Entries that are objects may be partial, too. */
export type DialectOverrides = {
  [Entry in keyof Dialect]?:
    | (Dialect[Entry] extends Record<string, unknown>
        ? { [Name in keyof Dialect[Entry]]?: Dialect[Entry][Name] | undefined }
        : Dialect[Entry])
    | undefined;
};

/** The error for an invalid dialect. Its message names all invalid entries. */
export class InvalidDialectError extends Error {
  override readonly name = 'InvalidDialectError';
}

const shape = z.enum(['message', 'business', 'validation', 'envelope']);
const name = z.string().check(z.minLength(1));
const minutes = z.int().check(z.positive(), z.maximum(maxExpiryMinutes));

/** Creates the schema of an object with these optional entries, and no others. */
const entries = <Name extends string, Value extends z.ZodMiniType>(names: readonly Name[], value: Value) =>
  z.partial(
    z.strictObject(
      // Safe: there is one entry for each name, and no other.
      Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>,
    ),
  );

// Safe: it is called with constants, which have exactly the keys of their types.
const keysOf = <Value extends object>(value: Value): (keyof Value & string)[] =>
  Object.keys(value) as (keyof Value & string)[];

function isTimezone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

const changesSchema = z.partial(
  z.strictObject({
    routes: entries(keysOf(kitDialect.routes), z.boolean()),
    errorBodies: entries(keysOf(openShapes), shape),
    headers: entries(keysOf(kitDialect.headers), z.boolean()),
    idempotency: z.enum(['honoured', 'silent', 'ignored']),
    paymentStatuses: entries(keysOf(kitDialect.paymentStatuses), name),
    buyStatuses: entries(keysOf(kitDialect.buyStatuses), name),
    emptyFields: z.enum(['documented', 'null', 'absent']),
    fieldOrder: z.array(z.enum(orderFields.map((field) => field.name))),
    messengerNumber: z.boolean(),
    returnUrl: z.boolean(),
    phoneNumbers: z.enum(['checked', 'text']),
    texts: z.enum(['cleaned', 'kept']),
    language: z.enum(['requested', 'fixed']),
    acceptRequired: z.boolean(),
    expiryMinutes: entries(paymentGroups, minutes),
    timezone: z.nullable(z.string().check(z.refine(isTimezone, 'expected an IANA time zone or an offset'))),
  }),
);

/** Returns the valid names in the object at a path of a dialect. */
function knownNamesAt(path: readonly PropertyKey[]): string[] {
  const [entry] = path;
  const inside =
    entry === undefined ? kitDialect : Object.entries(kitDialect).find(([name]) => name === entry)?.[1];
  return Object.keys(inside ?? {});
}

function problemOf(issue: z.core.$ZodIssue): string {
  const place = ['dialect', ...issue.path.map(String)].join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${place} has no ${issue.keys.join(' and no ')}; known entries: ${knownNamesAt(issue.path).join(', ')}`;
    case 'invalid_value':
      return `${place} must be one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      return `${place} must be ${issue.expected === 'boolean' ? 'true or false' : `of type ${issue.expected}`}`;
    case 'too_small':
      return `${place} must not be ${issue.origin === 'string' ? 'empty' : 'less than 1'}`;
    case 'too_big':
      return `${place} must not be more than ${issue.maximum}`;
    default:
      return `${place}: ${issue.message}`;
  }
}

/** Replaces some values of an object; undefined values are ignored. */
const withChanges = <Whole extends object>(base: Whole, changes: object = {}): Whole => ({
  ...base,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
});

/**
 * Completes a dialect from its differences from another dialect.
 *
 * @throws InvalidDialectError if two statuses have the same name, or a payment expiry is less than a minute or more than 366 days.
 * @example
 * completeDialect({ idempotency: 'ignored', errorBodies: { notFound: 'message' } }).errorBodies.promo; // 'business'
 */
export function completeDialect(changes: DialectOverrides, base: Dialect = kitDialect): Dialect {
  const dialect = {
    ...withChanges(base, changes),
    routes: withChanges(base.routes, changes.routes),
    errorBodies: withChanges(base.errorBodies, changes.errorBodies),
    headers: withChanges(base.headers, changes.headers),
    paymentStatuses: withChanges(base.paymentStatuses, changes.paymentStatuses),
    buyStatuses: withChanges(base.buyStatuses, changes.buyStatuses),
    expiryMinutes: withChanges(base.expiryMinutes, changes.expiryMinutes),
  };
  const problems = dialectProblems(dialect);
  if (problems.length > 0) throw new InvalidDialectError(`${problems.join('; ')}.`);
  return dialect;
}

/**
 * Validates a dialect from parsed JSON. Missing entries come from {@link kitDialect}.
 *
 * @throws InvalidDialectError that names every unknown entry and every invalid value.
 * @example
 * parseDialect(JSON.parse(await readFile('dialect.json', 'utf8')));
 */
export function parseDialect(json: unknown): Dialect {
  const read = changesSchema.safeParse(json);
  if (!read.success) throw new InvalidDialectError(`${read.error.issues.map(problemOf).join('; ')}.`);
  return completeDialect(read.data);
}
