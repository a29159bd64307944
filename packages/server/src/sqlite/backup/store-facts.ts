import type { DatabaseSync } from 'node:sqlite';
import type { StoreDisplay, StoreMode } from '@topup-kit/core/store';
import { integerOrNull } from '../../rows/columns.ts';
import { readNumber } from '../read-number.ts';
import { prepareDisplayRows, prepareModeRows } from '../state-rows.ts';
import { readStore } from './read-database.ts';

/** Facts by which a person recognises a store or a backup. */
export interface StoreFacts {
  /** The version of its tables: the number of applied migrations. */
  formatVersion: number;
  /** The mode of its servers; null when no server has used it yet. */
  mode: StoreMode | null;
  /** How its server shows amounts and times; null when no server has used it yet. */
  display: StoreDisplay | null;
  pages: number;
  /** Number of placed orders; orders whose payment is not created yet are not counted. */
  orders: number;
  /** When the newest order was created, in unix milliseconds of world time; null when there is none. */
  newestOrderAt: number | null;
  keys: number;
  games: number;
}

/** Counts orders that are reserved and not placed yet. Reads only a partial index. */
export const countReserved = (db: DatabaseSync): number =>
  readNumber(db, 'SELECT count(*) FROM orders WHERE reserved = 1');

/** Counts placed orders by indexes; a condition on the rows would read all of them. */
const countOrders = (db: DatabaseSync): number =>
  readNumber(db, 'SELECT count(*) FROM orders') - countReserved(db);

const newestOrderAt = (db: DatabaseSync): number | null =>
  integerOrNull(
    db.prepare('SELECT max(created_at) AS newest FROM orders').get() ?? { newest: null },
    'newest',
  );

/** The format that brought the table `display`. */
const displayVersion = 3;

/** Reads the facts of a store of any supported version. */
export function readFacts(db: DatabaseSync): StoreFacts {
  const formatVersion = readNumber(db, 'PRAGMA user_version');
  return {
    formatVersion,
    mode: prepareModeRows(db).read(),
    display: formatVersion < displayVersion ? null : prepareDisplayRows(db).read(),
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
 * @throws StoreFileError when the file is missing, not a store, unreadable, or of a newer version.
 */
export const readStoreFacts = (path: string): Promise<StoreFacts> => readStore(path, readFacts);
