import { type Catalog, createMemoryStore, type Store, type StoreMode } from '@topup-kit/core/store';
import type { ServerConfig } from './config/config.ts';
import { ConfigError, type StoreAddress } from './config/variable.ts';
import { createSqliteStore, lockForServer } from './sqlite/index.ts';

/**
 * Opens the store at an address; operators' commands open it beside a running server. `onFailure` is told once, when a
 * write failed so that none is accepted any more.
 */
export const openStore = (address: StoreAddress, onFailure: (error: Error) => void = () => {}): Store =>
  address.kind === 'memory' ? createMemoryStore() : createSqliteStore({ path: address.path, onFailure });

/** Opens the store of a server; it locks a file against other servers for as long as it runs. */
export function openServerStore(
  { store, host, port }: ServerConfig,
  resources: AsyncDisposableStack,
  onFailure: (error: Error) => void,
): Store {
  if (store.kind === 'file') {
    const lock = lockForServer(store.path, { pid: process.pid, address: `${host}:${port}` });
    resources.defer(() => lock.release());
  }
  const opened = openStore(store, onFailure);
  resources.defer(() => opened.close());
  return opened;
}

const otherMode = (claimed: StoreMode, mode: StoreMode): ConfigError =>
  new ConfigError(
    `The store belongs to a ${claimed} server and can't serve ${mode} mode: set TOPUP_STORE (or --store) to another file.`,
  );

/** Keeps simulated orders out of a live store, and a sandbox's clock and buttons away from real orders. */
export async function rejectOtherMode(store: Store, mode: StoreMode): Promise<void> {
  const claimed = await store.readMode();
  if (claimed !== null && claimed !== mode) throw otherMode(claimed, mode);
}

/** Claims the store for a mode and seeds it; only once the server listens, so that a failed start changes nothing. */
export async function claimStore(store: Store, mode: StoreMode, seed: Catalog | null): Promise<void> {
  const claimed = await store.claimMode(mode);
  if ('conflict' in claimed) throw otherMode(claimed.mode, mode);
  if (seed) await store.replaceCatalog(seed);
}
