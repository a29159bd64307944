import type { Store } from '../store.ts';

/** One behaviour that every store must have, shown on an empty store. */
export interface StoreCase {
  name: string;
  run: (store: Store) => Promise<void>;
}
