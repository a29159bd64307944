import { type Operation, withChecksum } from '../../contract/index.ts';
import { emptyContent, laterOrderFields, type MemorySnapshot } from '../store.ts';
import { formats, invalidField, readDocument } from './document.ts';
import type { ScenarioSnapshot } from './scenarios.ts';
import type { WebhooksSnapshot } from './webhooks.ts';

/**
 * The state of a sandbox or a mock as JSON, which can be saved, compared and restored. Its keys are sorted, and its times are ISO 8601. It
 * has no API keys, logins or secrets: a sandbox that restores it keeps its own.
 */
export interface WorldSnapshot {
  /** `topup-kit/snapshot@1`. */
  readonly format: string;
  /** World time of the snapshot: ISO 8601. */
  readonly time: string;
  /** Number of milliseconds by which world time was ahead of real time. */
  readonly ahead_ms: number;
  /** Faults, and the id of the chosen scenario among them. */
  readonly scenario: object;
  /** URLs of webhook receivers, and the faults of the next events. */
  readonly webhooks: object;
  /** Orders with their histories, the catalogue, uses of promos, balances, idempotency keys and so on, by table. */
  readonly tables: Readonly<Record<string, unknown>>;
  /** Data that only a mock has. */
  readonly mock?: unknown;
  /** Checksum of all other parts. */
  readonly checksum: string;
}

/** The content of a snapshot. */
export interface WorldContent {
  /** World time in unix milliseconds, and the number of milliseconds by which it was ahead of real time. */
  time: number;
  ahead: number;
  store: MemorySnapshot;
  scenario: ScenarioSnapshot;
  webhooks: WebhooksSnapshot;
  mock?: unknown;
}

/** Tables of a store that a snapshot contains. */
export const snapshotTables = [
  ...['orders', 'reserved', 'references', 'pages', 'unpaid', 'units', 'delivering', 'history', 'changes'],
  ...['lastChange', 'claims', 'uses', 'uniqueTotals', 'responses', 'reconciliations', 'refunds'],
  ...['catalog', 'promos', 'operatorPromos', 'catalogEdits', 'margins', 'pricedLists'],
  ...['supplierBalances', 'supplierLists', 'providerProblems', 'erasures', 'raisedAlerts'],
  ...['webhookEvents', 'eventProgress', 'lastEvent'],
] as const;

/** Tables that stay unchanged when a snapshot is restored: settings, secrets, and operators' activity. All others are emptied. */
export const keptTables = [
  ...['mode', 'display', 'backups', 'revision', 'keys', 'customerSecret', 'endpoints'],
  ...['consoleLinks', 'consoleSessions', 'activity'],
] as const;

type Json = Readonly<Record<string, unknown>>;

const isMoment = (name: string): boolean => /^(at|since|until)$|(At|Since|Until)$/.test(name);

/** Tells whether a value came from outside, so that no number in it is one of our times. */
const isForeign = (name: string): boolean => name === 'body';

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/** Copies a value with sorted keys: maps become objects, sets become lists, and times become ISO 8601. */
function write(value: unknown, name = '', isOwn = true): unknown {
  if (typeof value === 'number')
    return isOwn && isMoment(name) && Number.isInteger(value) ? new Date(value).toISOString() : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => write(item, '', isOwn)));
  // Safe: only a set or a map has this tag.
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

/** Copies a value, and converts its times back to unix milliseconds. */
function read(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return isMoment(name) ? Date.parse(value) : value;
  if (typeof value !== 'object' || value === null || isForeign(name)) return value;
  if (Array.isArray(value)) return value.map((item) => read(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item, key)]));
}

const readMap = (value: unknown): Map<string, unknown> =>
  new Map(Object.entries(value as Json).map(([key, item]) => [key, read(item)])); // Safe: `write` made it from a map.

/** Reads orders, and adds the fields that earlier versions lack. */
const readOrders = (value: unknown): Map<string, unknown> =>
  new Map([...readMap(value)].map(([id, order]) => [id, Object.assign({ ...laterOrderFields }, order)]));

/** Reads a map by operation, in which null means no operation. */
export const readCounts = <Name extends string>(value: unknown): Map<Name | null, number> =>
  // Safe: `write` made it from such a map, and no operation is called null.
  new Map([...readMap(value)].map(([key, count]) => [key === 'null' ? null : key, count])) as Map<
    Name | null,
    number
  >;

/** Returns the tables of a store that stay unchanged when a snapshot is restored. */
export const keptOf = (current: MemorySnapshot): Partial<MemorySnapshot> =>
  // Safe: these are the same tables of the same store.
  Object.fromEntries(keptTables.map((name) => [name, Reflect.get(current, name) as unknown]));

/** Maximum number of snapshots in memory. */
const maxSnapshots = 20;

/** Creates a list of a world's last snapshots, each with an id. */
export function createKeptSnapshots<Kept>(): {
  add(kept: Kept): number;
  /** @throws DomainError VALIDATION_ERROR if no snapshot has the id. */
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

/** Reads a table as the same kind (set or map) as its empty table. */
function readTable(name: string, value: unknown, empty: unknown): unknown {
  if (name === 'orders' || name === 'reserved') return readOrders(value);
  if (tagOf(empty) === '[object Map]') return readMap(value);
  return tagOf(empty) === '[object Set]' ? new Set(value as unknown[]) : read(value); // Safe: `write` made it from a set.
}

const checksumOf = (content: unknown): string => withChecksum(JSON.stringify(content)).slice(-6);

export function writeSnapshot({ time, ahead, store, ...rest }: WorldContent): WorldSnapshot {
  const tables = Object.fromEntries(
    snapshotTables.map((name) => [name, Reflect.get(store, name) as unknown]), // Safe: nothing is assumed.
  );
  // Safe: it has these parts, except undefined ones.
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
 * Reads a snapshot for a world that keeps its own keys and secrets.
 *
 * @param sent its JSON, as text or parsed
 * @throws DomainError VALIDATION_ERROR for an invalid, changed or newer snapshot.
 */
export function readSnapshot(sent: unknown, current: MemorySnapshot): WorldContent {
  const { checksum, ...content } = readDocument(sent, 'snapshot', 'snapshot');
  if (checksum !== checksumOf(write(content, '', false)))
    throw invalidField('snapshot', { rule: 'snapshotChanged' });
  // Safe: the checksum proves that `writeSnapshot` made it.
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
    ...(read(fault) as ScenarioSnapshot['faults'][number]), // Safe: the reason is the same as above.
    met: readCounts<Operation>(fault.met),
  }));
  return {
    time: Date.parse(time),
    ahead: ahead_ms,
    store: Object.fromEntries(store) as unknown as MemorySnapshot, // Safe: each table has the kind of the empty table.
    scenario: { faults, chosen: scenario.chosen },
    webhooks,
    mock: read(mock),
  };
}
