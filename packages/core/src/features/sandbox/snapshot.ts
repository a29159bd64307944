import { type Operation, withChecksum } from '../../contract/index.ts';
import { emptyContent, laterOrderFields, type MemorySnapshot } from '../store.ts';
import { formats, invalidField, readDocument } from './document.ts';
import type { ScenarioSnapshot } from './scenarios.ts';
import type { WebhooksSnapshot } from './webhooks.ts';

/**
 * The state of a sandbox or a mock as JSON, which can be saved, compared and restored. Its keys are sorted, its moments are ISO 8601. It
 * has no API keys, logins and secrets: those of the sandbox that restores it stay.
 */
export interface WorldSnapshot {
  /** `topup-kit/snapshot@1`. */
  readonly format: string;
  /** Its moment on the world's clock: ISO 8601. */
  readonly time: string;
  /** How far that was ahead of real time, in milliseconds. */
  readonly ahead_ms: number;
  /** Faults, and the id of the one that is the chosen scenario. */
  readonly scenario: object;
  /** URLs that events are sent to, and what goes wrong with the next events. */
  readonly webhooks: object;
  /** Orders with their histories, the catalogue, uses of promos, balances, idempotency keys and so on, by table. */
  readonly tables: Readonly<Record<string, unknown>>;
  /** What only a mock has. */
  readonly mock?: unknown;
  /** Of all the rest. */
  readonly checksum: string;
}

/** What a snapshot says. */
export interface WorldContent {
  /** World time, and how far it was ahead of real time, in milliseconds. */
  time: number;
  ahead: number;
  store: MemorySnapshot;
  scenario: ScenarioSnapshot;
  webhooks: WebhooksSnapshot;
  mock?: unknown;
}

/** The tables of a store that are in a snapshot. */
export const snapshotTables = [
  ...['orders', 'reserved', 'references', 'pages', 'unpaid', 'units', 'delivering', 'history', 'changes'],
  ...['lastChange', 'claims', 'uses', 'uniqueTotals', 'responses', 'reconciliations', 'refunds'],
  ...['catalog', 'promos', 'operatorPromos', 'catalogEdits', 'margins', 'pricedLists'],
  ...['supplierBalances', 'supplierLists', 'providerProblems', 'erasures', 'raisedAlerts'],
  ...['webhookEvents', 'eventProgress', 'lastEvent'],
] as const;

/** The tables that stay when a snapshot is restored: settings, what has secrets, and what operators did. All others are emptied. */
export const keptTables = [
  ...['mode', 'display', 'backups', 'revision', 'keys', 'customerSecret', 'endpoints'],
  ...['consoleLinks', 'consoleSessions', 'activity'],
] as const;

type Json = Readonly<Record<string, unknown>>;

const isMoment = (name: string): boolean => /^(at|since|until)$|(At|Since|Until)$/.test(name);

/** What others sent: nothing in it is a moment of ours. */
const isForeign = (name: string): boolean => name === 'body';

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/** A copy with sorted keys: maps become objects, sets become lists, and moments are written as ISO 8601. */
function write(value: unknown, name = '', isOwn = true): unknown {
  if (typeof value === 'number')
    return isOwn && isMoment(name) && Number.isInteger(value) ? new Date(value).toISOString() : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => write(item, '', isOwn)));
  // Safe, both: only a set or a map has its tag.
  if (tagOf(value) === '[object Set]') return Object.freeze([...(value as ReadonlySet<unknown>)].sort());
  const isMap = tagOf(value) === '[object Map]';
  const entries = isMap
    ? [...(value as ReadonlyMap<string | null, unknown>)].map(([key, item]): [string, unknown] => [
        String(key),
        write(item, '', isOwn),
      ])
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]): [string, unknown] => [key, write(item, key, isOwn && !isForeign(key))]);
  return Object.freeze(Object.fromEntries(entries.sort(byName)));
}

/** A copy in which moments are unix milliseconds again. */
function read(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return isMoment(name) ? Date.parse(value) : value;
  if (typeof value !== 'object' || value === null || isForeign(name)) return value;
  if (Array.isArray(value)) return value.map((item) => read(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item, key)]));
}

const readMap = (value: unknown): Map<string, unknown> =>
  new Map(Object.entries(value as Json).map(([key, item]) => [key, read(item)])); // safe: `write` made it of a map

/** Orders with the fields that earlier versions lack. */
const readOrders = (value: unknown): Map<string, unknown> =>
  new Map([...readMap(value)].map(([id, order]) => [id, Object.assign({ ...laterOrderFields }, order)]));

/** A map by operation, in which null stands for none. */
export const readCounts = <Name extends string>(value: unknown): Map<Name | null, number> =>
  // safe: `write` made it of such a map, and no operation is called null
  new Map([...readMap(value)].map(([key, count]) => [key === 'null' ? null : key, count])) as Map<
    Name | null,
    number
  >;

/** What stays of a store when a snapshot is restored. */
export const keptOf = (current: MemorySnapshot): Partial<MemorySnapshot> =>
  // safe: the same tables of the same store
  Object.fromEntries(keptTables.map((name) => [name, Reflect.get(current, name) as unknown]));

/** How many snapshots are kept. */
const maxSnapshots = 20;

/** The last snapshots of a world, each with an id. */
export function createKeptSnapshots<Kept>(): {
  add(kept: Kept): number;
  /** @throws DomainError VALIDATION_ERROR when there is none with the id. */
  get(id: number | undefined): Kept;
} {
  const snapshots = new Map<number, Kept>();
  let last = 0;
  return {
    add(kept) {
      last += 1;
      snapshots.set(last, kept);
      snapshots.delete(last - maxSnapshots);
      return last;
    },
    get(id) {
      const kept = snapshots.get(id ?? 0);
      if (kept !== undefined) return kept;
      throw invalidField('id', { rule: id === undefined ? 'required' : 'option' });
    },
  };
}

/** A table of the same kind as its empty one. */
function readTable(name: string, value: unknown, empty: unknown): unknown {
  if (name === 'orders' || name === 'reserved') return readOrders(value);
  if (tagOf(empty) === '[object Map]') return readMap(value);
  return tagOf(empty) === '[object Set]' ? new Set(value as unknown[]) : read(value); // safe: `write` made it of a set
}

const checksumOf = (content: unknown): string => withChecksum(JSON.stringify(content)).slice(-6);

export function writeSnapshot({ time, ahead, store, ...rest }: WorldContent): WorldSnapshot {
  const tables = Object.fromEntries(
    snapshotTables.map((name) => [name, Reflect.get(store, name) as unknown]), // safe: nothing is assumed of it
  );
  // safe: it has these parts, without what is undefined
  const content = write({
    format: formats.snapshot,
    time: new Date(time).toISOString(),
    ahead_ms: ahead,
    tables,
    ...rest,
  }) as Omit<WorldSnapshot, 'checksum'>;
  const { format, ...parts } = content;
  return Object.freeze({ format, ...parts, checksum: checksumOf(content) });
}

/**
 * Reads a snapshot for a world, whose keys and secrets stay.
 *
 * @param sent its JSON, as a text or parsed
 * @throws DomainError VALIDATION_ERROR for what is no snapshot, was changed after it was taken, or has a newer format.
 */
export function readSnapshot(sent: unknown, current: MemorySnapshot): WorldContent {
  const { checksum, ...content } = readDocument(sent, 'snapshot', 'snapshot');
  if (checksum !== checksumOf(write(content, '', false)))
    throw invalidField('snapshot', { rule: 'snapshotChanged' });
  // safe: by its checksum, `writeSnapshot` made it
  const { time, ahead_ms, tables, scenario, webhooks, mock } = content as unknown as WorldSnapshot & {
    scenario: { faults: Json[]; chosen: number | null };
    webhooks: WebhooksSnapshot;
  };
  const store = new Map<string, unknown>(Object.entries({ ...emptyContent(), ...keptOf(current) }));
  for (const [name, table] of Object.entries(tables)) {
    if (!snapshotTables.some((known) => known === name)) {
      const params = { name: `tables.${name}`, known: snapshotTables.join(', ') };
      throw invalidField('snapshot', { rule: 'unknownParameter', params });
    }
    store.set(name, readTable(name, table, store.get(name)));
  }
  const faults = scenario.faults.map((fault) => ({
    ...(read(fault) as ScenarioSnapshot['faults'][number]), // safe: as above
    met: readCounts<Operation>(fault.met),
  }));
  return {
    time: Date.parse(time),
    ahead: ahead_ms,
    store: Object.fromEntries(store) as unknown as MemorySnapshot, // safe: each table is of the kind of the empty one
    scenario: { faults, chosen: scenario.chosen },
    webhooks,
    mock: read(mock),
  };
}
