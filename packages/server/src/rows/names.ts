import type { Catalog } from '@topup-kit/core/store';

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
  /** At most 100, the newest first. */
  callbacks: StoreName[];
  /** Only keys that are not revoked. */
  keys: StoreName[];
  webhooks: StoreName[];
  /** At most 100 that were sent or are to be, the newest first. */
  events: StoreName[];
  /** Null when no catalogue was imported yet. */
  catalog: Omit<Catalog, 'promos'> | null;
}

export const maxNames = 100;
