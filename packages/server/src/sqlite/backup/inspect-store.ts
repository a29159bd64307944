import { explainError } from '../explain-error.ts';
import { migrations } from '../migrations/index.ts';
import { sizeOf } from '../prepare-file.ts';
import { findServer, type ServerHolder } from '../server-lock.ts';
import { StoreFileError } from '../store-file-error.ts';
import { type CheckDepth, findDamage } from './find-damage.ts';
import { locationOf } from './query-apart.ts';
import { readStore } from './read-database.ts';
import { type OrdersInState, readReport, readStates, type StoreReport } from './store-report.ts';

export interface Inspection extends StoreReport {
  /** The states that orders are in, in the order of the contract; as they were a moment after the rest. */
  states: OrdersInState[];
  /** The newest version of the tables that this kit knows; a server brings an older store to it. */
  newestFormat: number;
  bytes: number;
  /** Of the write-ahead log, whose changes the file itself does not have yet. */
  logBytes: number;
  /** The server that has the store open; null when none has. */
  server: ServerHolder | null;
}

export interface InspectOptions {
  /** How hard to look for damage; by default, `quick`. */
  check?: CheckDepth | undefined;
  /** Ends the work; its reason is thrown. */
  signal?: AbortSignal | undefined;
}

async function readWhole(
  path: string,
  { check = 'quick', signal }: InspectOptions,
): Promise<OrdersInState[]> {
  const location = locationOf(path, { atRest: false });
  try {
    const [damage] = await findDamage(location, check, signal);
    if (damage !== undefined) throw new StoreFileError('damaged', `${path} is damaged: ${damage}.`);
    return await readStates(location, signal);
  } catch (error) {
    throw explainError(error, path);
  }
}

/**
 * Looks at a store that a server may be writing, and changes nothing. It reads the whole file twice: two seconds for a
 * million orders where they are in memory, as long as the disk takes where they are not.
 *
 * @throws StoreFileError when it is missing, no store, damaged, or of a newer version.
 * @example
 * const { orders, overdue, server } = await inspectStore('./data/topup.db');
 */
export const inspectStore = (path: string, options: InspectOptions = {}): Promise<Inspection> =>
  readStore(path, async (db) => ({
    states: await readWhole(path, options),
    ...readReport(db, Date.now()),
    newestFormat: migrations.length,
    bytes: sizeOf(path),
    logBytes: sizeOf(`${path}-wal`),
    server: findServer(path),
  }));
