import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { normaliseFields, orderFields, orderPayload } from '@topup-kit/core/contract';
import type { CreateOrderRequest } from '@topup-kit/sdk';
import { makeFolder, syncFolder } from '@topup-kit/server/internal/folders';
import { stateFolder } from '../config/file.ts';
import { CliError, exitCodes, reasonOf, systemCode } from '../errors/cli-error.ts';
import type { Io } from '../io.ts';
import { isObject } from '../json.ts';

/** Data of an order that is stored before the order is sent. */
export interface PendingOrder {
  idempotency_key: string;
  base_url: string;
  /** Hash that separates the orders of different accounts; the key itself is never written. */
  api_key_hash: string;
  request: CreateOrderRequest;
  /** Start time in ISO 8601, with milliseconds, in UTC. */
  started_at: string;
}

/** Identity of an order: two commands with the same identity mean the same order. */
type OrderIdentity = Pick<PendingOrder, 'base_url' | 'request'>;

/** Order in a file of the journal. */
export interface SavedOrder {
  order: PendingOrder;
  /** The path of the file. */
  file: string;
}

type HasEnvironment = Pick<Io, 'environment'>;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

export const hashApiKey = (apiKey: string): string => hash(apiKey);

/** Returns a string that is equal for requests to one service for the same order. */
function fingerprintOf({ base_url, request }: OrderIdentity): string {
  const address = URL.parse(base_url)?.href ?? base_url;
  const payload = orderPayload(normaliseFields(orderFields, { ...request }));
  return hash(`${address.replace(/\/+$/, '')}\n${payload}`).slice(0, 32);
}

/** Returns when a process started, in the system's unit; undefined without such a process, or without /proc. */
function processStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name comes before these fields in brackets, and may itself contain spaces and brackets.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, but its parent has not read its exit status yet.
    return ['Z', 'X'].includes(state) ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

/** Tells whether another process with this id and start time is running. A reused id has another start time; `-` is unknown. */
function isRunningElsewhere(pid: number, start: string): boolean {
  if (pid === process.pid) return false;
  if (start !== '-') return processStartTime(pid) === start;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user exists, although it can't be signalled.
    return systemCode(error) === 'EPERM';
  }
}

/** Maximum duration of an attempt in milliseconds. An attempt takes at most half of it, so a process no longer sends an older order. */
const longestAttempt = 60_000;

/** Returns the name of a file that this process owns. A single rename transfers an order to another process. */
const nameOf = (order: OrderIdentity): string =>
  `${fingerprintOf(order)}.${randomUUID()}.${process.pid}.${processStartTime(process.pid) ?? '-'}.${Date.now()}.json`;

/** Returns the fingerprint of a file whose order no running process sends; undefined for other files. */
function unfinishedFingerprint(name: string): string | undefined {
  const [, fingerprint, pid, start = '', since] =
    /^([\da-f]{32})\.[\da-f-]{36}\.(\d+)\.(-|\d+)\.(\d+)\.json$/.exec(name) ?? [];
  const isRecent = Math.abs(Date.now() - Number(since)) <= longestAttempt;
  return isRecent && isRunningElsewhere(Number(pid), start) ? undefined : fingerprint;
}

function isPendingOrder(value: unknown): value is PendingOrder {
  if (!isObject(value) || !isObject(value.request)) return false;
  const { idempotency_key, base_url, api_key_hash, started_at } = value;
  const texts = [idempotency_key, base_url, api_key_hash, started_at];
  return texts.every((text) => typeof text === 'string') && !Number.isNaN(Date.parse(String(started_at)));
}

/** Reads an order; undefined if the file is unreadable or doesn't match its name, null if another process took or deleted it. */
function readOrder(file: string, fingerprint: string): PendingOrder | undefined | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isPendingOrder(value) && fingerprintOf(value) === fingerprint ? value : undefined;
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : undefined;
  }
}

/** Returns the folder of the saved orders, with one file per order. */
export const journalFolder = (io: HasEnvironment): string => join(stateFolder(io), 'orders');

const startedAt = ({ order }: { order: PendingOrder | undefined }): number =>
  order === undefined ? 0 : Date.parse(order.started_at);

/**
 * Returns the saved orders that no running process sends, oldest first. Unreadable files come before them as undefined.
 *
 * @param like identity of the orders to return
 */
export function unfinishedOrders(
  io: HasEnvironment,
  like?: OrderIdentity,
): (SavedOrder | { file: string; order: undefined })[] {
  const folder = journalFolder(io);
  const wanted = like && fingerprintOf(like);
  return (existsSync(folder) ? readdirSync(folder) : [])
    .flatMap((name) => {
      const fingerprint = unfinishedFingerprint(name);
      if (fingerprint === undefined || (wanted ?? fingerprint) !== fingerprint) return [];
      const file = join(folder, name);
      const order = readOrder(file, fingerprint);
      return order === null ? [] : [{ file, order }];
    })
    .toSorted((a, b) => startedAt(a) - startedAt(b));
}

const temporarySuffix = '.new';

/** Removes temporary files of processes that were killed while writing. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(temporarySuffix))) {
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > longestAttempt) rmSync(file, { force: true });
  }
}

/** Saves an order with a new key. The order is on disk when this returns; after a crash, its file is complete or missing. */
export function saveOrder(
  io: HasEnvironment,
  identity: Omit<PendingOrder, 'idempotency_key' | 'started_at'>,
): SavedOrder {
  const folder = journalFolder(io);
  const order = { ...identity, idempotency_key: randomUUID(), started_at: new Date().toISOString() };
  const file = join(folder, nameOf(identity));
  const temporary = file + temporarySuffix;
  makeFolder(folder);
  removeLeftovers(folder);
  try {
    writeFileSync(temporary, `${JSON.stringify(order)}\n`, { flag: 'wx', mode: 0o600, flush: true });
    renameSync(temporary, file);
    syncFolder(folder);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return { order, file };
}

/** Transfers an unfinished order to this process; undefined if another process took it first. */
export function claimOrder({ order, file }: SavedOrder): SavedOrder | undefined {
  const folder = dirname(file);
  const claimed = join(folder, nameOf(order));
  try {
    renameSync(file, claimed);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  syncFolder(folder);
  return { order, file: claimed };
}

export const deleteOrder = ({ file }: { file: string }): void => rmSync(file, { force: true });

/** Runs work with the journal. An error names the next step. */
export function inJournal<Value>(io: HasEnvironment, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw new CliError(`Orders can't be saved in ${journalFolder(io)}: ${reasonOf(error)}.`, {
      code: 'STATE_FOLDER',
      exitCode: exitCodes.failure,
      hint: 'An order is saved before it is sent, so that it is never placed twice. Fix the folder, use another with XDG_STATE_HOME, or use your own key: --idempotency-key.',
      cause: error,
    });
  }
}
