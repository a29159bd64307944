import type { DatabaseSync } from 'node:sqlite';
import { readNames, type StoreNames } from '../../features/names.ts';
import { integerOrNull } from '../../rows/columns.ts';
import { readDisplay, readMode } from '../../sql/state.ts';
import type { StoreContent } from '../../sql/store-report.ts';
import { migrations } from '../migrate.ts';
import { prepareCommands, readNumber } from '../run-command.ts';
import { readNewestStore, readStore } from './read-database.ts';

/** Facts that identify a store file or a backup to a person. */
export interface StoreInfo extends StoreContent {
  pages: number;
}

/** Counts reserved orders. Reads only a partial index. */
export const countReserved = (db: DatabaseSync): number =>
  readNumber(db, 'SELECT count(*) FROM orders WHERE reserved = 1');

const hasTable = (db: DatabaseSync, name: string): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;

const hasReserved = (db: DatabaseSync): boolean =>
  db.prepare(`SELECT 1 FROM pragma_table_info('orders') WHERE name = 'reserved'`).get() !== undefined;

/** Counts placed orders. For an old format it uses indexes, because a condition on the rows would read all of them. */
const countOrders = (db: DatabaseSync): number =>
  hasTable(db, 'order_counts')
    ? readNumber(db, 'SELECT coalesce(sum(count), 0) FROM order_counts')
    : readNumber(db, 'SELECT count(*) FROM orders') - (hasReserved(db) ? countReserved(db) : 0);

const newestOrderAt = (db: DatabaseSync): number | null =>
  integerOrNull(
    db.prepare('SELECT max(created_at) AS newest FROM orders').get() ?? { newest: null },
    'newest',
  );

export function readFacts(db: DatabaseSync): StoreInfo {
  const run = prepareCommands(db);
  return {
    formatVersion: readNumber(db, 'PRAGMA user_version'),
    newestFormat: migrations.length,
    mode: run(readMode()),
    display: hasTable(db, 'display') ? run(readDisplay()) : null,
    pages: readNumber(db, 'PRAGMA page_count'),
    orders: countOrders(db),
    newestOrderAt: newestOrderAt(db),
    keys: readNumber(db, 'SELECT count(*) FROM keys'),
    games: readNumber(db, `SELECT coalesce(sum(json_array_length(document, '$.games')), 0) FROM catalog`),
  };
}

/**
 * Reads the facts of a store while a server may be writing to it. It is fast, because it doesn't check for damage.
 *
 * @throws StoreFileError if the file is missing, unreadable, not a store, or of a newer version.
 */
export const readStoreInfo = (path: string): Promise<StoreInfo> => readStore(path, readFacts);

/**
 * Reads the names in a store, for command-line completion. Neither creates nor changes the file.
 *
 * @throws StoreFileError if there is no such store, or it has another format.
 */
export const readCompletionNames = (path: string): Promise<StoreNames> =>
  readNewestStore(path, (db) => prepareCommands(db)(readNames()));
