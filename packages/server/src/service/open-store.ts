import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readCatalogFile } from '@topup-kit/core/engine';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import {
  type Catalog,
  createMemoryStore,
  done,
  type Store,
  type StoreError,
  type StoreMode,
} from '@topup-kit/core/store';
import type { ServerConfig } from '../config/config.ts';
import { ConfigError, type StoreAddress } from '../config/variable.ts';
import { openFilesCode, raiseOpenFiles } from '../files/open-files.ts';
import { createPostgresStore } from '../postgres/index.ts';
import { upgradeDatabase } from '../postgres/upgrade-database.ts';
import {
  type CopyOptions,
  createSqliteStore,
  isUpgraded,
  lockAgainstServers,
  lockForServer,
  rejectMissing,
  type SqliteStoreOptions,
  type StoreUpgrade,
  type UpgradeOptions,
  upgradeFile,
} from '../sqlite/index.ts';

const modeError = (claimed: StoreMode, mode: StoreMode): ConfigError =>
  new ConfigError(
    `The store belongs to a ${claimed} server and can't serve ${mode} mode: set TOPUP_STORE (or --store) to another file.`,
    { setting: 'TOPUP_STORE' },
  );

export interface StoreUpgradeOptions extends CopyOptions, Pick<UpgradeOptions, 'onStart'> {
  /** The mode that the store must have; any mode by default. */
  mode?: StoreMode | undefined;
}

type UpgradedAddress = Exclude<StoreAddress, { kind: 'memory' }>;

/** Upgrades a store that this process has locked, if it is a file. */
async function upgradeLockedStore(
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
 * Brings a store to this version's format, in one transaction. A file is first copied, and the copy is verified; no server may have the
 * file open or start on it during the upgrade. Resolves with null if the store already has that format.
 *
 * @throws ConfigError if the store has another mode; StoreFileError or PostgresError if it can't be upgraded. The store is then unchanged.
 * @example
 * const upgrade = await upgradeStore({ kind: 'file', path: './data/topup.db' });
 */
export async function upgradeStore(
  address: UpgradedAddress,
  options: StoreUpgradeOptions = {},
): Promise<StoreUpgrade | null> {
  if (address.kind !== 'file') return upgradeLockedStore(address, options);
  // This is checked before the lock file is created.
  rejectMissing(address.path);
  if (isUpgraded(address.path)) return null;
  const lock = lockAgainstServers(address.path, { pid: process.pid, address: 'upgrading the store' });
  try {
    return await upgradeLockedStore(address, options);
  } finally {
    lock.release();
  }
}

interface StoreEvents extends Pick<SqliteStoreOptions, 'onCommit' | 'takeOver'> {
  onChange?: (failure: StoreError | null) => void;
}

interface ServerEvents extends StoreEvents, Pick<UpgradeOptions, 'onStart'> {}

/**
 * Opens the store at an address. Several processes may open a store: a server and operators' commands. `onChange` is called with the
 * reason when the store stops working, and with null when it works again.
 */
export function openStore(address: StoreAddress, on: StoreEvents = {}): Store {
  switch (address.kind) {
    case 'memory':
      return createMemoryStore();
    case 'file':
      return createSqliteStore({ path: address.path, ...on });
    case 'postgres':
      return createPostgresStore({ url: address.url, ...on });
  }
}

/** Upgrades a server's store, and opens it. A store file is locked against other servers until `resources` is disposed. */
async function openServerStore(
  { store, mode, host, port }: ServerConfig,
  resources: AsyncDisposableStack,
  { onStart, ...on }: ServerEvents,
): Promise<{ store: Store; upgraded: StoreUpgrade | null }> {
  if (store.kind === 'file') {
    const lock = lockForServer(store.path, { pid: process.pid, address: `${host}:${port}` });
    resources.defer(() => lock.release());
  }
  const upgraded = await upgradeLockedStore(store, { mode, ...(onStart && { onStart }) });
  const opened = openStore(store, { ...on, takeOver: true });
  resources.defer(() => opened.close());
  return { store: opened, upgraded };
}

/** Rejects a store of the other mode, so that simulated and real orders never mix. */
async function rejectOtherMode(store: Store, mode: StoreMode): Promise<void> {
  const claimed = await store.readMode();
  if (claimed !== null && claimed !== mode) throw modeError(claimed, mode);
}

/** Claims the store for a mode, and seeds it unless another server has just done so. Returns whether this server seeded it. */
export async function claimStore(store: Store, mode: StoreMode, seed: Catalog | null): Promise<boolean> {
  // If there is nothing to write, a server can start on a full disk and serve reads.
  const claimed = (await store.readMode()) === mode ? done : await store.claimMode(mode);
  if ('conflict' in claimed) throw modeError(claimed.mode, mode);
  return seed !== null && 'done' in (await store.seedCatalog(seed));
}

const aboutCatalog = { setting: 'TOPUP_CATALOG' };

const maxProblems = 10;

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    const limit = openFilesCode(error);
    const why = limit
      ? `: ${raiseOpenFiles(limit)}`
      : ` (${code}): set TOPUP_CATALOG (or --catalog) to a readable file.`;
    throw new ConfigError(`The catalogue file ${resolve(path)} can't be read${why}`, {
      cause: error,
      ...aboutCatalog,
    });
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    // Removes the byte order mark that editors on Windows write.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`The catalogue file ${path} is not JSON: ${reason}.`, aboutCatalog);
  }
}

/**
 * Reads a catalogue file.
 *
 * @throws ConfigError that names the file, and the path and rule of each error.
 */
async function loadCatalogFile(path: string): Promise<Catalog> {
  const read = readCatalogFile(parseJson(path, await readText(path)));
  if ('catalog' in read) return read.catalog;
  const listed = read.problems
    .slice(0, maxProblems)
    .map(({ path: at, rule }) => `\n  ${at || '(file)'}: ${rule}`);
  const more = read.problems.length - listed.length;
  throw new ConfigError(
    `The catalogue file ${path} breaks ${read.problems.length === 1 ? 'a rule' : `${read.problems.length} rules`}:${listed.join('')}${more > 0 ? `\n  and ${more} more` : ''}`,
    aboutCatalog,
  );
}

/** Reads the first catalogue of an empty store: from the file, or in a sandbox without a file, the sandbox catalogue. */
async function readFirstCatalog({ catalog, mode, locale }: ServerConfig): Promise<Catalog> {
  if (catalog !== undefined) return loadCatalogFile(catalog);
  if (mode === 'sandbox') return sandboxCatalog(locale);
  throw new ConfigError(
    'The store has no catalogue yet: set TOPUP_CATALOG (or --catalog) to a catalogue file.',
    aboutCatalog,
  );
}

/**
 * Opens a server's store in the newest format, and returns the first catalogue if the store has none. An existing catalogue stays, and the
 * configured file is not read. A start that fails because of the catalogue creates no store.
 *
 * @throws ConfigError if the store belongs to the other mode, or there is no valid catalogue.
 */
export async function openWithCatalog(
  config: ServerConfig,
  resources: AsyncDisposableStack,
  on: ServerEvents,
): Promise<{ store: Store; upgraded: StoreUpgrade | null; seed: Catalog | null }> {
  const isNew = config.store.kind === 'file' && !existsSync(config.store.path);
  const early = isNew ? await readFirstCatalog(config) : null;
  const { store, upgraded } = await openServerStore(config, resources, on);
  await rejectOtherMode(store, config.mode);
  const seed = (await store.readCatalog()) === null ? (early ?? (await readFirstCatalog(config))) : null;
  return { store, upgraded, seed };
}
