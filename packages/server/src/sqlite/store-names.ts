import type { Catalog } from '@topup-kit/core/store';
import { json, type Row, text } from '../rows/columns.ts';
import { maxNames, type StoreName, type StoreNames } from '../rows/names.ts';
import { readNewestStore } from './backup/read-database.ts';

const orderName = (row: Row): StoreName => ({
  name: text(row, 'order_id'),
  about: `${text(row, 'payment_status')} / ${text(row, 'buy_status')}`,
});

const callbackName = (row: Row): StoreName => ({
  name: text(row, 'callback_id'),
  about: `${text(row, 'provider')}, ${text(row, 'outcome')}`,
});

/**
 * Reads the names in a store, for command-line completion. The file is neither created nor changed.
 *
 * @throws StoreFileError when there is no such store, or one of another format.
 */
export const readStoreNames = (path: string): Promise<StoreNames> =>
  readNewestStore(path, (db) => {
    const orders = db.prepare(
      'SELECT order_id, payment_status, buy_status FROM orders WHERE reserved = 0 ORDER BY created_at DESC, order_id DESC LIMIT ?',
    );
    const callbacks = db.prepare(
      'SELECT callback_id, provider, outcome FROM callbacks ORDER BY received_at DESC LIMIT ?',
    );
    const promos = db.prepare('SELECT code FROM promos WHERE position IS NOT NULL ORDER BY position');
    const keys = db.prepare('SELECT key_id, name FROM keys WHERE revoked_at IS NULL ORDER BY created_at');
    const catalog = db.prepare('SELECT document FROM catalog').get();
    return {
      orders: orders.all(maxNames).map(orderName),
      promos: promos.all().map((row) => ({ name: text(row, 'code'), about: '' })),
      callbacks: callbacks.all(maxNames).map(callbackName),
      keys: keys.all().map((row) => ({ name: text(row, 'key_id'), about: text(row, 'name') })),
      catalog: catalog ? json<Omit<Catalog, 'promos'>>(catalog, 'document') : null,
    };
  });
