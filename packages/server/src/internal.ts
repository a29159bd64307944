// Exports for the command line and this repository's tests. They are not published.

export type { ProviderHost, ProviderSetting } from '@topup-kit/providers/provider';
export {
  type ConsoleSettings,
  readConsoleSettings,
  readGateway,
  readSuppliers,
  type Setting,
  type SettingFlags,
  settingDefinitions,
  settingNames,
} from './config/config.ts';
export { type EnvironmentVariables, providerSettings } from './config/providers.ts';
export { createSecretCipher, type SecretCipher } from './config/secret-cipher.ts';
export { storeName } from './config/variable.ts';
export { createCustomerHash } from './customers/customer-hash.ts';
export type { StoredCallback } from './features/callbacks/sql.ts';
export { consoleUrl } from './features/console/address.ts';
export { countMessages, eraseStrayMessages, findStrayMessages } from './features/inspection.ts';
export type { StoreNames } from './features/names.ts';
export { checkEndpointUrl } from './features/webhooks/guarded-agent.ts';
export * from './index.ts';
export {
  assertStoreExists,
  type DatabaseInfo,
  findServers,
  readDatabaseInfo,
  readDatabaseNames,
} from './postgres/inspect.ts';
export type { StoreName } from './rows/names.ts';
export { sha256Hex } from './service/sha256.ts';
export {
  assertBackupIsNotStore,
  assertNoServerRunning,
  createSqliteStore,
  emptyLog,
  findOpenOrders,
  findServer,
  isPartOfStore,
  type LockOwner,
  lockForServer,
  type OpenOrder,
  readCompletionNames,
  readStoreInfo,
  type ServerLock,
  type SqliteStoreOptions,
} from './sqlite/index.ts';
