import { createMemoryStore, type Store } from '@topup-kit/core/store';
import type { StoreAddress } from './config/readers.ts';
import { createSqliteStore } from './sqlite/index.ts';

/** Opens the store at an address; operators' commands open it beside a running server. */
export const openStore = (address: StoreAddress): Store =>
  address.kind === 'memory' ? createMemoryStore() : createSqliteStore({ path: address.path });
