import type { Catalog } from '@topup-kit/core/store';
import { readStore } from './backup/read-database.ts';
import { json, type Row, text } from './columns.ts';

/** A name for command-line completion. */
export interface StoreName {
  name: string;
  /** A short description; may be empty. */
  about: string;
}

export interface StoreNames {
  /** At most 100, the newest first. */
  orders: StoreName[];
  promos: StoreName[];
  /** Only keys that are not revoked. */
  keys: StoreName[];
  /** Null when no catalogue was imported yet. */
  catalog: Omit<Catalog, 'promos'> | null;
}

const maxOrders = 100;

const orderName = (row: Row): StoreName => ({
  name: text(row, 'order_id'),
  about: `${text(row, 'payment_status')} / ${text(row, 'buy_status')}`,
});

/**
 * Reads the names in a store, for command-line completion. The file is neither created nor changed.
 *
 * @throws StoreFileError when there is no such store.
 */
export const readStoreNames = (path: string): Promise<StoreNames> =>
  readStore(path, (db) => {
    const orders = db.prepare(
      'SELECT order_id, payment_status, buy_status FROM orders WHERE reserved = 0 ORDER BY created_at DESC, order_id DESC LIMIT ?',
    );
    const promos = db.prepare('SELECT code FROM promos WHERE position IS NOT NULL ORDER BY position');
    const keys = db.prepare('SELECT key_id, name FROM keys WHERE revoked_at IS NULL ORDER BY created_at');
    const catalog = db.prepare('SELECT document FROM catalog').get();
    return {
      orders: orders.all(maxOrders).map(orderName),
      promos: promos.all().map((row) => ({ name: text(row, 'code'), about: '' })),
      keys: keys.all().map((row) => ({ name: text(row, 'key_id'), about: text(row, 'name') })),
      catalog: catalog ? json<Omit<Catalog, 'promos'>>(catalog, 'document') : null,
    };
  });
