import type { DatabaseSync } from 'node:sqlite';
import { integerOrNull } from '../../rows/columns.ts';
import type { StoreContent } from '../../store-report.ts';
import { readNumber } from '../read-number.ts';
import { prepareDisplayRows, prepareModeRows } from '../state-rows.ts';
import { readStore } from './read-database.ts';

/** Facts by which a person recognises a store file or a backup. */
export interface StoreFacts extends StoreContent {
  pages: number;
}

/** Counts orders that are reserved and not placed yet. Reads only a partial index. */
export const countReserved = (db: DatabaseSync): number =>
  readNumber(db, 'SELECT count(*) FROM orders WHERE reserved = 1');

/** The format that brought `order_counts`. */
const countsVersion = 6;

/** Whether a store counts its orders by state. */
export const hasCounts = (db: DatabaseSync): boolean =>
  readNumber(db, 'PRAGMA user_version') >= countsVersion;

/** Counts placed orders; without counts by indexes, because a condition on the rows would read all of them. */
const countOrders = (db: DatabaseSync): number =>
  hasCounts(db)
    ? readNumber(db, 'SELECT coalesce(sum(count), 0) FROM order_counts')
    : readNumber(db, 'SELECT count(*) FROM orders') - countReserved(db);

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
