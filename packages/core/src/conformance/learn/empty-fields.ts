import type { Dialect } from '../../contract/index.ts';
import { isContainer, valueAt } from '../json-path.ts';
import { objectsAt } from './read-json.ts';

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

/** How fields without a value are written in some answers; undefined when they don't show it. */
export function emptyFieldsOf(bodies: readonly unknown[]): Dialect['emptyFields'] | undefined {
  const observed: Observed = { nulls: new Set(), leftOut: new Set() };
  for (const body of bodies) observe(body, observed);
  if (only(observed.nulls, 'absent')) return 'absent';
  if (!only(observed.nulls, 'null')) return undefined;
  if (only(observed.leftOut, 'absent')) return 'documented';
  return only(observed.leftOut, 'null') ? 'null' : undefined;
}
