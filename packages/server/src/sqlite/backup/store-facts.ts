import type { DatabaseSync } from 'node:sqlite';
import type { StoreMode } from '@topup-kit/core/store';
import { integerOrNull, readNumber } from '../columns.ts';
import { prepareModeRows } from '../state-rows.ts';
import { readStore } from './read-database.ts';

/** By what a person knows a store, or a backup of it. */
export interface StoreFacts {
  /** The version of its tables. */
  formatVersion: number;
  /** Which servers it belongs to; null when none was started on it. */
  mode: StoreMode | null;
  pages: number;
  /** Orders that were placed; those still reserved are not counted. */
  orders: number;
  /** When the newest order was made, in unix milliseconds of world time; null without orders. */
  newestOrderAt: number | null;
  keys: number;
  games: number;
}

/** Orders that were reserved and are not placed yet; of the partial index, however many orders there are. */
export const countReserved = (db: DatabaseSync): number =>
  readNumber(db, 'SELECT count(*) FROM orders WHERE reserved = 1');

/** Counted by an index, where a condition on the rows would read them all. */
const countOrders = (db: DatabaseSync): number =>
  readNumber(db, 'SELECT count(*) FROM orders') - countReserved(db);

const newestOrderAt = (db: DatabaseSync): number | null =>
  integerOrNull(
    db.prepare('SELECT max(created_at) AS newest FROM orders').get() ?? { newest: null },
    'newest',
  );

/** Reads the facts of a store of any version that this kit knows. */
export const readFacts = (db: DatabaseSync): StoreFacts => ({
  formatVersion: readNumber(db, 'PRAGMA user_version'),
  mode: prepareModeRows(db).read(),
  pages: readNumber(db, 'PRAGMA page_count'),
  orders: countOrders(db),
  newestOrderAt: newestOrderAt(db),
  keys: readNumber(db, 'SELECT count(*) FROM keys'),
  games: readNumber(db, `SELECT coalesce(sum(json_array_length(document, '$.games')), 0) FROM catalog`),
});

/**
 * Tells what is in a store that a server may be writing, at once and without a look for damage.
 *
 * @throws StoreFileError when it is missing, no store, damaged where the facts are, or of a newer version.
 */
export const readStoreFacts = (path: string): Promise<StoreFacts> => readStore(path, readFacts);
