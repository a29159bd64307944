import { type Dialect, type DialectChanges, type ErrorShape, kitDialect } from '../../contract/index.ts';
import { isContainer, objectsAt, valueAt } from '../json.ts';
import type { ProbedResponse } from '../probe.ts';

/** Entries that hold entries of their own. */
type Group = 'routes' | 'errorBodies' | 'headers' | 'paymentStatuses' | 'buyStatuses' | 'expiryMinutes';

/** Collects what was learned of a dialect. Undefined values are ignored: they could not be learned. */
export interface DialectBuilder {
  dialect: DialectChanges;
  set<Entry extends Exclude<keyof DialectChanges, Group>>(entry: Entry, value: DialectChanges[Entry]): void;
  setIn<Entry extends Group>(entry: Entry, values: DialectChanges[Entry]): void;
  /** The entries that nothing was learned of, such as `errorBodies.rateLimited`. */
  unknown(): string[];
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of a dialect's entries, those within a group as `group.name`. */
const namesOf = (dialect: DialectChanges): string[] =>
  Object.entries(dialect).flatMap(([entry, value]) =>
    isGroup(value) ? Object.keys(value).map((name) => `${entry}.${name}`) : [entry],
  );

const known = <Values extends object>(values: Values): Values =>
  // Safe: a value that is undefined says as much as one that is not there.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;

export function createDialectBuilder(): DialectBuilder {
  const dialect: DialectChanges = {};
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

/** Which of the bodies of interface 7.1 a response has; undefined for any other. */
export function errorShapeOf({ body }: Pick<ProbedResponse, 'body'>): ErrorShape | undefined {
  if (!isContainer(body) || typeof body.message !== 'string') return undefined;
  if (typeof body.error_code === 'string') return 'envelope';
  if (isContainer(body.errors)) return 'validation';
  return body.success === false ? 'business' : 'message';
}

/** How a field without a value was written. */
type Written = 'null' | 'absent';

/** Ours writes the first kind as null and leaves the second out. */
interface Observed {
  nulls: Set<Written>;
  leftOut: Set<Written>;
}

function look(things: Record<string, unknown>[], fields: readonly string[], found: Set<Written>): void {
  for (const thing of things)
    for (const field of fields) {
      if (thing[field] === undefined) found.add('absent');
      if (thing[field] === null) found.add('null');
    }
}

function observe(body: unknown, observed: Observed): void {
  const pages = [valueAt(body, 'data'), valueAt(body, 'game')].filter(isContainer);
  for (const page of pages) {
    look(objectsAt(page, 'products'), ['promo_price'], observed.nulls);
    look(objectsAt(page, 'fields'), ['options'], observed.leftOut);
  }
  const order = valueAt(body, 'order');
  if (!isContainer(order)) return;
  look([order], ['nickname', 'email'], observed.nulls);
  look([order], ['serial_number'], observed.leftOut);
}

const only = (found: Set<Written>, one: Written): boolean => found.size === 1 && found.has(one);

/** How fields without a value are written in some responses; undefined when they don't show it. */
export function emptyFieldsOf(bodies: readonly unknown[]): Dialect['emptyFields'] | undefined {
  const observed: Observed = { nulls: new Set(), leftOut: new Set() };
  for (const body of bodies) observe(body, observed);
  if (only(observed.nulls, 'absent')) return 'absent';
  if (!only(observed.nulls, 'null')) return undefined;
  if (only(observed.leftOut, 'absent')) return 'documented';
  return only(observed.leftOut, 'null') ? 'null' : undefined;
}
