import type { StoreMode } from '@topup-kit/core/store';
import { ConfigError, type StoreAddress } from '../config/variable.ts';
import { upgradeDatabase } from '../postgres/upgrade-database.ts';
import {
  type CopyOptions,
  isUpgraded,
  lockAgainstServers,
  rejectMissing,
  type StoreUpgrade,
  type UpgradeOptions,
  upgradeFile,
} from '../sqlite/index.ts';

export const modeError = (claimed: StoreMode, mode: StoreMode): ConfigError =>
  new ConfigError(
    `The store belongs to a ${claimed} server and can't serve ${mode} mode: set TOPUP_STORE (or --store) to another file.`,
    { setting: 'TOPUP_STORE' },
  );

export interface StoreUpgradeOptions extends CopyOptions, Pick<UpgradeOptions, 'onStart'> {
  /** The mode that the store must have; default: any. */
  mode?: StoreMode | undefined;
}

type UpgradedAddress = Exclude<StoreAddress, { kind: 'memory' }>;

/** Upgrades a store of which this process has the lock, if it is a file. */
export async function upgradeLockedStore(
  address: StoreAddress,
  { mode, ...options }: StoreUpgradeOptions,
): Promise<StoreUpgrade | null> {
  const checkMode = (claimed: StoreMode): void => {
    if (mode !== undefined && claimed !== mode) throw modeError(claimed, mode);
  };
  switch (address.kind) {
    case 'memory':
      return null;
    case 'file':
      return upgradeFile(address.path, { ...options, checkMode });
    case 'postgres':
      return upgradeDatabase(address.url, { ...options, checkMode });
  }
}

/**
 * Brings a store to the format of this version, in one transaction. A file gets a verified copy beside it first; no server may have it
 * open, and none can start on it meanwhile. Resolves with null when the store has that format already.
 *
 * @throws ConfigError when the store has another mode; StoreFileError or PostgresError when it can't be upgraded. It is then unchanged.
 * @example
 * const upgrade = await upgradeStore({ kind: 'file', path: './data/topup.db' });
 */
export async function upgradeStore(
  address: UpgradedAddress,
  options: StoreUpgradeOptions = {},
): Promise<StoreUpgrade | null> {
  if (address.kind !== 'file') return upgradeLockedStore(address, options);
  // Before a lock is made beside it.
  rejectMissing(address.path);
  if (isUpgraded(address.path)) return null;
  const lock = lockAgainstServers(address.path, { pid: process.pid, address: 'upgrading the store' });
  try {
    return await upgradeLockedStore(address, options);
  } finally {
    lock.release();
  }
}
