import type { Catalog, Store } from '@topup-kit/core/store';
import { nameRooms } from './inspection.ts';

/** A name for command-line completion. */
export interface StoreName {
  name: string;
  /** A short description; may be empty. */
  about: string;
}

interface HouseNames {
  /** At most 100, the newest first. */
  orders: StoreName[];
  promos: StoreName[];
  /** At most 100, the newest first. */
  callbacks: StoreName[];
  /** Only keys that are not revoked. */
  keys: StoreName[];
  /** Null when no catalogue was imported yet. */
  catalog: Omit<Catalog, 'promos'> | null;
}

/** The names in a store, by what they are of. */
export type StoreNames = HouseNames & Awaited<ReturnType<typeof nameRooms>>;

const maxNames = 100;

type Source = Pick<Store, 'listOrders' | 'listCallbacks' | 'listKeys' | 'readCatalog'> &
  Parameters<typeof nameRooms>[0];

const withoutPromos = ({ promos: _apart, ...catalog }: Catalog): Omit<Catalog, 'promos'> => catalog;

export async function readNames(store: Source): Promise<StoreNames> {
  const [orders, callbacks, keys, catalog, rooms] = await Promise.all([
    store.listOrders({ limit: maxNames }),
    store.listCallbacks({ limit: maxNames }),
    store.listKeys(),
    store.readCatalog(),
    nameRooms(store, maxNames),
  ]);
  const named = (name: string, about: string): StoreName => ({ name, about });
  return {
    orders: orders.map(({ orderId, paymentStatus, buyStatus }) =>
      named(orderId, `${paymentStatus} / ${buyStatus}`),
    ),
    promos: catalog?.promos.map(({ code }) => named(code, '')) ?? [],
    callbacks: callbacks.map(({ callbackId, provider, outcome }) =>
      named(callbackId, `${provider}, ${outcome}`),
    ),
    keys: keys.flatMap(({ keyId, name, revokedAt }) => (revokedAt === null ? [named(keyId, name)] : [])),
    catalog: catalog && withoutPromos(catalog),
    ...rooms,
  };
}
