import type { Store } from '@topup-kit/core/store';

/** One behaviour of every store; `run` takes an empty store and throws when the store behaves differently. */
export interface StoreCase {
  name: string;
  run: (store: Store) => Promise<void>;
}

export type StoreCases = Record<string, StoreCase['run']>;
