import {
  type Dialect,
  type DialectOverrides,
  type EmptyFields,
  type ErrorShape,
  kitDialect,
} from '@topup-kit/core/contract';
import { emptyFieldsIn } from '../dialect.ts';
import { isContainer, objectsAt, valueAt } from '../json.ts';
import type { ProbedResponse } from '../probe.ts';

/** Entries of a dialect that are objects. */
type Group = 'routes' | 'errorBodies' | 'headers' | 'paymentStatuses' | 'buyStatuses' | 'expiryMinutes';

/** Collects the learned entries of a dialect. It ignores undefined values, which could not be learned. */
export interface DialectBuilder {
  dialect: DialectOverrides;
  set<Entry extends Exclude<keyof DialectOverrides, Group>>(
    entry: Entry,
    value: DialectOverrides[Entry],
  ): void;
  setIn<Entry extends Group>(entry: Entry, values: DialectOverrides[Entry]): void;
  /** Returns the entries that were not learned, such as `errorBodies.rateLimited`. */
  unknown(): string[];
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the names of a dialect's entries; names in a group are `group.name`. */
const namesOf = (dialect: DialectOverrides): string[] =>
  Object.entries(dialect).flatMap(([entry, value]) =>
    isGroup(value) ? Object.keys(value).map((name) => `${entry}.${name}`) : [entry],
  );

const known = <Values extends object>(values: Values): Values =>
  // Safe: callers treat a missing value like undefined.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;

export function createDialectBuilder(): DialectBuilder {
  const dialect: DialectOverrides = {};
  return {
    dialect,
    set(entry, value) {
      if (value !== undefined) dialect[entry] = value;
    },
    setIn(entry, values = {}) {
      const learned = known({ ...dialect[entry], ...known(values) });
      if (Object.keys(learned).length > 0) Object.assign(dialect, { [entry]: learned });
    },
    unknown: () => namesOf(kitDialect).filter((name) => !namesOf(dialect).includes(name)),
  };
}

/** Returns the error shape (interface 7.1) of a response's body; undefined for any other body. */
export function errorShapeOf({ body }: Pick<ProbedResponse, 'body'>): ErrorShape | undefined {
  if (!isContainer(body) || typeof body.message !== 'string') return undefined;
  if (typeof body.error_code === 'string') return 'envelope';
  if (isContainer(body.errors)) return 'validation';
  return body.success === false ? 'business' : 'message';
}

/** The form of an empty field. */
type EmptyForm = 'null' | 'absent';

/** Observations of fields that this kit's dialect writes as null, and of fields that it leaves out. */
interface Observed {
  nulls: Set<EmptyForm>;
  leftOut: Set<EmptyForm>;
}

function observeObjects(
  objects: Record<string, unknown>[],
  { nulls, leftOut }: EmptyFields,
  observed: Observed,
): void {
  const observeFields = (fields: readonly string[], found: Set<EmptyForm>): void => {
    for (const value of objects.flatMap((object) => fields.map((field) => object[field]))) {
      if (value === undefined) found.add('absent');
      if (value === null) found.add('null');
    }
  };
  observeFields(nulls, observed.nulls);
  observeFields(leftOut, observed.leftOut);
}

function observe(body: unknown, observed: Observed): void {
  const pages = [valueAt(body, 'data'), valueAt(body, 'game')].filter(isContainer);
  for (const page of pages) {
    observeObjects(objectsAt(page, 'products'), emptyFieldsIn.product, observed);
    observeObjects(objectsAt(page, 'fields'), emptyFieldsIn.targetField, observed);
  }
  const order = valueAt(body, 'order');
  if (isContainer(order)) observeObjects([order], emptyFieldsIn.invoiceOrder, observed);
}

const only = (found: Set<EmptyForm>, form: EmptyForm): boolean => found.size === 1 && found.has(form);

/** Returns the form of empty fields in these responses; undefined if the responses don't show it. */
export function emptyFormOf(bodies: readonly unknown[]): Dialect['emptyFields'] | undefined {
  const observed: Observed = { nulls: new Set(), leftOut: new Set() };
  for (const body of bodies) observe(body, observed);
  if (only(observed.nulls, 'absent')) return 'absent';
  if (!only(observed.nulls, 'null')) return undefined;
  if (only(observed.leftOut, 'absent')) return 'documented';
  return only(observed.leftOut, 'null') ? 'null' : undefined;
}
