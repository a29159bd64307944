import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { normaliseFields, orderFields, orderPayload } from '@topup-kit/core/contract';
import type { CreateOrderRequest } from '@topup-kit/sdk';
import { makeFolder } from '@topup-kit/server/internal/folders';
import { stateFolder } from '../config/file.ts';
import { CliError, exitCodes, reasonOf, systemCode } from '../errors/cli-error.ts';
import type { Io } from '../io.ts';
import { removeLeftovers, renameDurably, writeDurably } from './durable-file.ts';
import { currentProcess, isRunningElsewhere, type ProcessIdentity } from './process-lock.ts';

/** What is stored about an order before it is sent. */
export interface PendingOrder {
  idempotency_key: string;
  base_url: string;
  /** Separates the orders of different accounts; the key itself is never written. */
  api_key_hash: string;
  request: CreateOrderRequest;
  /** ISO 8601, with milliseconds, in UTC. */
  started_at: string;
}

/** Two commands with the same identity mean the same order. */
type OrderIdentity = Pick<PendingOrder, 'base_url' | 'request'>;

type NewOrder = OrderIdentity & Pick<PendingOrder, 'api_key_hash'>;

/** An entry that this process owns, so that it may send the order. */
export interface JournalEntry {
  order: PendingOrder;
  /** To be called after the result is known and printed. */
  delete(): void;
}

/** An order that no running process is sending. */
interface UnfinishedOrder {
  order: PendingOrder;
  /** Takes the entry over; undefined when another process was faster. */
  claim(): JournalEntry | undefined;
}

/** The orders that were started on this machine and whose result was not printed yet, as files in the state folder. */
interface Journal {
  /** Writes an entry for an order that is about to be sent; it is on disk when this returns. */
  add(order: NewOrder): JournalEntry;
  /** Like `add`, and deletes the unfinished entries of the same order, unreadable ones included. */
  replace(order: NewOrder): JournalEntry;
  /** The unfinished entries of the same order, oldest first. */
  unfinished(order: OrderIdentity): UnfinishedOrder[];
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

export const hashApiKey = (apiKey: string): string => hash(apiKey);

/** Equal for requests to one service that mean the same order. */
function fingerprintOf({ base_url, request }: OrderIdentity): string {
  const address = URL.parse(base_url)?.href ?? base_url;
  const payload = orderPayload(normaliseFields(orderFields, { ...request }));
  return hash(`${address.replace(/\/+$/, '')}\n${payload}`).slice(0, 32);
}

/** The parts of an entry's file name; it contains the owner, so that one rename takes an entry over. */
interface EntryName extends ProcessIdentity {
  fingerprint: string;
  /** Distinguishes entries of the same order. */
  id: string;
  /** When this owner took the entry, in unix milliseconds. */
  since: number;
}

const formatName = ({ fingerprint, id, pid, started, since }: EntryName): string =>
  `${fingerprint}.${id}.${pid}.${started}.${since}.json`;

/** Undefined if the file is not an entry. */
function parseName(name: string): EntryName | undefined {
  const [, fingerprint = '', id = '', pid, started = '', since] =
    /^([\da-f]{32})\.([\da-f-]{36})\.(\d+)\.(-|\d+)\.(\d+)\.json$/.exec(name) ?? [];
  return fingerprint === ''
    ? undefined
    : { fingerprint, id, pid: Number(pid), started, since: Number(since) };
}

const texts = ['idempotency_key', 'base_url', 'api_key_hash', 'started_at'] as const;

function isPendingOrder(value: unknown): value is PendingOrder {
  const fields: Record<string, unknown> = Object(value);
  return (
    texts.every((name) => typeof fields[name] === 'string') &&
    typeof fields.request === 'object' &&
    fields.request !== null &&
    !Number.isNaN(Date.parse(String(fields.started_at)))
  );
}

/** Undefined if the text is not an order, or not the order of the file name. */
function parseEntry(text: string, fingerprint: string): PendingOrder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPendingOrder(value) && fingerprintOf(value) === fingerprint ? value : undefined;
  } catch {
    return undefined;
  }
}

/** In milliseconds, and twice the longest attempt: an owner that has held an order for longer no longer sends it. */
const longestHold = 60_000;

const isHeld = (name: EntryName): boolean =>
  Math.abs(Date.now() - name.since) <= longestHold && isRunningElsewhere(name);

/** The result of `work`; undefined if its file doesn't exist, because another process took or deleted it. */
function ignoreMissing<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export const journalFolder = (io: Pick<Io, 'environment'>): string => join(stateFolder(io), 'orders');

/** An entry that no running process owns. */
interface AbandonedEntry {
  /** The path of its file. */
  file: string;
  name: EntryName;
  /** Its order; undefined if the file was deleted in the meantime. */
  read(): PendingOrder | 'unreadable' | undefined;
}

/** The entries that no running process owns; changes nothing. */
export const abandonedEntries = (folder: string): AbandonedEntry[] =>
  (ignoreMissing(() => readdirSync(folder)) ?? []).flatMap((file) => {
    const name = parseName(file);
    if (!name || isHeld(name)) return [];
    const path = join(folder, file);
    const read = (): ReturnType<AbandonedEntry['read']> => {
      const text = ignoreMissing(() => readFileSync(path, 'utf8'));
      return text === undefined ? undefined : (parseEntry(text, name.fingerprint) ?? 'unreadable');
    };
    return [{ file: path, name, read }];
  });

const unusableFolder = (folder: string, error: unknown): CliError =>
  new CliError(`Orders can't be saved in ${folder}: ${reasonOf(error)}.`, {
    code: 'STATE_FOLDER',
    exitCode: exitCodes.failure,
    hint: 'An order is saved before it is sent, so that it is never placed twice. Fix the folder, use another with XDG_STATE_HOME, or use your own key: --idempotency-key.',
    cause: error,
  });

const unreadableEntry = (path: string): CliError =>
  new CliError(`The entry of an unfinished order can't be read: ${path}`, {
    code: 'STATE_FILE',
    exitCode: exitCodes.unknownOutcome,
    hint: 'Nothing was sent: this order may have been placed already. Look for it at the service first; then run the command again with --another, which discards the entry.',
  });

const newName = (fingerprint: string): EntryName => ({
  ...currentProcess(),
  fingerprint,
  id: randomUUID(),
  since: Date.now(),
});

/** Opens the journal and creates its folder; throws before anything is sent. */
export function openJournal(io: Pick<Io, 'environment'>): Journal {
  const folder = journalFolder(io);

  function usable<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      throw unusableFolder(folder, error);
    }
  }

  const entryAt = (path: string, order: PendingOrder): JournalEntry => ({
    order,
    delete: () => usable(() => rmSync(path, { force: true })),
  });

  function rename(name: string, path: string): true {
    renameDurably(join(folder, name), path);
    return true;
  }

  function claim(name: EntryName, order: PendingOrder): JournalEntry | undefined {
    const claimed = { ...name, ...currentProcess(), since: Date.now() };
    const path = join(folder, formatName(claimed));
    const taken = usable(() => ignoreMissing(() => rename(formatName(name), path)));
    return taken ? entryAt(path, order) : undefined;
  }

  const abandoned = (fingerprint: string): AbandonedEntry[] =>
    usable(() => abandonedEntries(folder)).filter(({ name }) => name.fingerprint === fingerprint);

  function add(identity: NewOrder): JournalEntry {
    const path = join(folder, formatName(newName(fingerprintOf(identity))));
    const order = { ...identity, idempotency_key: randomUUID(), started_at: new Date().toISOString() };
    usable(() => writeDurably(path, `${JSON.stringify(order)}\n`));
    return entryAt(path, order);
  }

  usable(() => {
    makeFolder(folder);
    removeLeftovers(folder);
  });
  return {
    add,
    replace(identity) {
      const old = abandoned(fingerprintOf(identity));
      // Written before the old entries are deleted: until then they are the only record.
      const entry = add(identity);
      for (const { file } of old) usable(() => rmSync(file, { force: true }));
      return entry;
    },
    unfinished(identity) {
      const orders = abandoned(fingerprintOf(identity)).flatMap(({ file, name, read }) => {
        const order = usable(read);
        if (order === undefined) return [];
        if (order === 'unreadable') throw unreadableEntry(file);
        return [{ order, claim: () => claim(name, order) }];
      });
      return orders.toSorted((a, b) => Date.parse(a.order.started_at) - Date.parse(b.order.started_at));
    },
  };
}
