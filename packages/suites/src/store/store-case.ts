import type { Store } from '@topup-kit/core/store';

/** One behaviour of every store; `run` takes an empty store and throws when the store behaves differently. */
export interface StoreCase {
  name: string;
  run: (store: Store) => Promise<void>;
}

/** The cases of one topic by their names. */
export type StoreCases = Record<string, StoreCase['run']>;
