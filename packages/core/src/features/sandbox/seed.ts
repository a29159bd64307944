import {
  type FieldRule,
  type Fields,
  faultFields,
  type OrderInput,
  orderFields,
  ours,
} from '../../contract/index.ts';
import { DomainError, invalidFields } from '../../engine/errors.ts';
import type { StoredOrder } from '../../store/index.ts';
import { actionsTo, type ReachableState } from './actions.ts';
import { readControlInput } from './control.ts';
import { invalidField, isObject, readDocument } from './document.ts';
import { readFault } from './faults.ts';
import { checkWorldOffset, parseCatalog, type Sandbox } from './sandbox.ts';

/** Fields for placing an order and bringing it to a state. */
export const createFields: readonly FieldRule[] = [
  ...orderFields,
  ours.text('state', 'State of the order: payment and delivery; default: UNPAID / Pending.', {
    text: 'trimmed',
    options: Object.keys(actionsTo),
  }),
];

/** A file that a person writes to fill a sandbox or a mock (source: ours). */
export interface Seed {
  format: 'topup-kit/seed@1';
  /** The world's time: ISO 8601 with an offset. */
  clock?: string;
  /** A catalogue file, which replaces the whole catalogue. */
  catalog?: object;
  /** Orders, each with its target `state`; unpaid if left out. */
  orders?: readonly object[];
  faults?: readonly object[];
}

/** Carries out a part of a seed, and names the part in its error. */
async function within<Result>(part: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const fields = Object.entries(error.fields ?? {});
    if (fields.length === 0) throw invalidField(part, { rule: 'seedEntry', params: { code: error.code } });
    throw invalidFields(Object.fromEntries(fields.map(([name, failures]) => [`${part}.${name}`, failures])));
  }
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

function readClock(clock: unknown): number {
  const at = typeof clock === 'string' && moment.test(clock) ? Date.parse(clock) : Number.NaN;
  if (Number.isNaN(at)) throw invalidField('clock', { rule: 'moment' });
  return at;
}

function readList(name: string, list: unknown = []): Fields[] {
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw invalidField(name, { rule: 'objectList' });
}

/** Reads and checks the fields of a seed. @throws DomainError VALIDATION_ERROR. */
function readSeed(document: unknown) {
  const {
    format: _read,
    clock,
    catalog,
    orders,
    faults,
    ...unknown
  } = readDocument(document, 'document', 'seed');
  const [name] = Object.keys(unknown);
  const known = 'format, clock, catalog, orders, faults';
  if (name !== undefined) throw invalidField(name, { rule: 'unknownParameter', params: { name, known } });
  if (catalog !== undefined && !isObject(catalog)) throw invalidField('catalog', { rule: 'jsonObject' });
  return {
    at: clock === undefined ? undefined : readClock(clock),
    catalog,
    orders: readList('orders', orders),
    faults: readList('faults', faults),
  };
}

/**
 * Applies a seed by the rules of the controls: the clock, the catalogue, the orders in sequence, the faults. Resolves with the orders.
 *
 * @throws DomainError VALIDATION_ERROR that names the invalid part. Nothing has changed then.
 */
export async function plantSeed(
  sandbox: Sandbox,
  document: unknown,
  accountId?: string,
): Promise<StoredOrder[]> {
  const { at, catalog, orders, faults } = readSeed(document);
  const { now, ahead } = sandbox.world();
  if (at !== undefined) await within('clock', () => checkWorldOffset(ahead + at - now));
  if (catalog) await within('catalog', () => parseCatalog(catalog));
  const inputs = await Promise.all(
    orders.map((entry, index) =>
      within(`orders[${index}]`, () => readControlInput({ fields: createFields }, entry)),
    ),
  );
  for (const [index, fault] of faults.entries())
    await within(`faults[${index}]`, () => readFault(readControlInput({ fields: faultFields }, fault)));
  const undo = await sandbox.checkpoint();
  const created: StoredOrder[] = [];
  try {
    if (at !== undefined) await within('clock', () => sandbox.setClock(at));
    if (catalog) await within('catalog', () => sandbox.catalog.replace(catalog));
    for (const [index, input] of inputs.entries())
      await within(`orders[${index}]`, async () => {
        const { state, ...order } = input;
        // Safe: both values were validated by the rules of their fields.
        const to = { state: state as ReachableState | undefined, accountId };
        created.push(await sandbox.create(order as OrderInput, to));
      });
    for (const [index, fault] of faults.entries())
      await within(`faults[${index}]`, () =>
        sandbox.faults.add(readControlInput({ fields: faultFields }, fault)),
      );
    return created;
  } catch (error) {
    await undo();
    throw error;
  }
}
