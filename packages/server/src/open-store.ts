import { createMemoryStore, type Store } from '@topup-kit/core/store';
import type { StoreAddress } from './config/variable.ts';
import { createSqliteStore } from './sqlite/index.ts';

/**
 * Opens the store at an address; operators' commands open it beside a running server. `onFailure` is told once, when a
 * write failed so that none is accepted any more.
 */
export const openStore = (address: StoreAddress, onFailure: (error: Error) => void = () => {}): Store =>
  address.kind === 'memory' ? createMemoryStore() : createSqliteStore({ path: address.path, onFailure });
