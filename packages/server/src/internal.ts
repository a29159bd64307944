// Exports for the command line and this repository's tests. They are not published.

export type { ProviderHost, ProviderSetting } from '@topup-kit/providers/provider';
export {
  type ConsoleSettings,
  type Flags,
  readConsoleSettings,
  readGateway,
  readSuppliers,
  type Setting,
  settings,
  variables,
} from './config/config.ts';
export { type Environment, providerSettings } from './config/providers.ts';
export { readSecretBox, type SecretBox } from './config/secret-box.ts';
export { storeName } from './config/variable.ts';
export { createCustomerHash } from './customers/customer-hash.ts';
export type { StoredCallback } from './features/callbacks/sql.ts';
export { consoleUrl } from './features/console/address.ts';
export { countMessages, eraseStrayMessages, findStrayMessages } from './features/inspection.ts';
export type { StoreNames } from './features/names.ts';
export { checkEndpointUrl } from './features/webhooks/guarded-agent.ts';
export * from './index.ts';
export {
  type DatabaseFacts,
  findServers,
  readDatabaseFacts,
  readDatabaseNames,
  rejectNoStore,
} from './postgres/inspect.ts';
export type { StoreName } from './rows/names.ts';
export { sha256Hex } from './service/sha256.ts';
export {
  assertNotOwnFile,
  assertNotServed,
  createSqliteStore,
  emptyLog,
  findOpenOrders,
  findServer,
  isPartOfStore,
  lockForServer,
  type OpenOrder,
  readStoreFacts,
  readStoreNames,
  type ServerHolder,
  type ServerLock,
  type SqliteStoreOptions,
} from './sqlite/index.ts';
