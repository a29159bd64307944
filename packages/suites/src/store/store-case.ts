import type { Store } from '@topup-kit/core/store';

/** A required behaviour of every store; `run` takes an empty store and throws if the store behaves differently. */
export interface StoreCase {
  name: string;
  run: (store: Store) => Promise<void>;
}

export type StoreCases = Record<string, StoreCase['run']>;
