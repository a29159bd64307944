import * as z from 'zod/mini';
import { openShapes } from '../errors.ts';
import { orderFields } from '../fields.ts';
import { paymentGroups } from '../payment-kinds.ts';
import { type Dialect, kitDialect, mostExpiryMinutes, unservable } from './dialect.ts';

/** A dialect of which only what differs is said; within an entry too. */
export type DialectChanges = {
  [Entry in keyof Dialect]?:
    | (Dialect[Entry] extends Record<string, unknown>
        ? { [Name in keyof Dialect[Entry]]?: Dialect[Entry][Name] | undefined }
        : Dialect[Entry])
    | undefined;
};

/** What is wrong with a dialect; the message names every place. */
export class InvalidDialectError extends Error {
  override readonly name = 'InvalidDialectError';
}

const shape = z.enum(['message', 'business', 'validation', 'envelope']);
const name = z.string().check(z.minLength(1));
const minutes = z.int().check(z.positive(), z.maximum(mostExpiryMinutes));

/** An object that may say any of its entries and no others. */
const entries = <Name extends string, Value extends z.ZodMiniType>(names: readonly Name[], value: Value) =>
  z.partial(
    z.strictObject(
      // Safe: an entry is made of every name and of nothing else.
      Object.fromEntries(names.map((one) => [one, value])) as Record<Name, Value>,
    ),
  );

// Safe here and below: the keys of constants.
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
    acceptRequired: z.boolean(),
    expiryMinutes: entries(paymentGroups, minutes),
    timezone: z.nullable(z.string().check(z.refine(isTimezone, 'expected an IANA time zone or an offset'))),
  }),
);

/** The names that an object at a path of a dialect may have. */
function knownAt(path: readonly PropertyKey[]): string[] {
  const [entry] = path;
  const inside =
    entry === undefined ? kitDialect : Object.entries(kitDialect).find(([one]) => one === entry)?.[1];
  return typeof inside === 'object' && inside !== null ? Object.keys(inside) : [];
}

function complaint(issue: z.core.$ZodIssue): string {
  const place = ['dialect', ...issue.path.map(String)].join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${place} has no ${issue.keys.join(' and no ')}; it takes ${knownAt(issue.path).join(', ')}`;
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

/** An object with some of its values replaced; undefined replaces nothing. */
const changed = <Whole extends object>(base: Whole, changes: object = {}): Whole => ({
  ...base,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
});

/**
 * A whole dialect of what differs from another one.
 *
 * @throws InvalidDialectError when no service could speak it: two statuses of one name, or an order that waits for
 * less than a minute or more than 366 days.
 * @example
 * completeDialect({ idempotency: 'ignored', errorBodies: { notFound: 'message' } }).errorBodies.promo; // 'business'
 */
export function completeDialect(changes: DialectChanges, base: Dialect = kitDialect): Dialect {
  const dialect = {
    ...changed(base, changes),
    routes: changed(base.routes, changes.routes),
    errorBodies: changed(base.errorBodies, changes.errorBodies),
    headers: changed(base.headers, changes.headers),
    paymentStatuses: changed(base.paymentStatuses, changes.paymentStatuses),
    buyStatuses: changed(base.buyStatuses, changes.buyStatuses),
    expiryMinutes: changed(base.expiryMinutes, changes.expiryMinutes),
  };
  const wrong = unservable(dialect);
  if (wrong.length > 0) throw new InvalidDialectError(`${wrong.join('; ')}.`);
  return dialect;
}

/**
 * Reads a dialect from JSON that was parsed; what it leaves out is as in {@link kitDialect}.
 *
 * @throws InvalidDialectError that names every entry which is unknown or has a value that it doesn't take, or what
 * keeps a service from speaking it.
 * @example
 * parseDialect(JSON.parse(await readFile('dialect.json', 'utf8')));
 */
export function parseDialect(json: unknown): Dialect {
  const read = changesSchema.safeParse(json);
  if (!read.success) throw new InvalidDialectError(`${read.error.issues.map(complaint).join('; ')}.`);
  return completeDialect(read.data);
}
