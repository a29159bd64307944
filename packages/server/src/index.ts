export {
  type Dialect,
  type DialectChanges,
  InvalidDialectError,
  interfaceOnly,
  kitDialect,
  parseDialect,
} from '@topup-kit/core/contract';
export type { PaymentNews } from '@topup-kit/core/engine';
export type { LocalGateway, PaymentGateway, PaymentRequest, RemoteGateway } from '@topup-kit/core/gateway';
export type { Clock } from '@topup-kit/core/platform';
export type { Payment, Store, StoredOrder } from '@topup-kit/core/store';
export type { Supplier, SupplyAnswer, SupplyRequest } from '@topup-kit/core/supplier';
export {
  type Environment,
  type Flags,
  readConfig,
  type ServerConfig,
  type Setting,
  settings,
  variables,
} from './config/config.ts';
export { ConfigError, type StoreAddress, type Variable } from './config/variable.ts';
export { openStore } from './open-store.ts';
export { type ServerParts, sha256Hex } from './service.ts';
export {
  type BackupFacts,
  type BackupOptions,
  backUpStore,
  type CheckDepth,
  type CopyOptions,
  type CopyProgress,
  createSqliteStore,
  findServer,
  type Inspection,
  type InspectOptions,
  inspectStore,
  isPartOfStore,
  lockForServer,
  type OrdersInState,
  type Restored,
  readStoreFacts,
  readStoreNames,
  refuseOwnFile,
  refuseServed,
  restoreStore,
  type ServerHolder,
  type ServerLock,
  type SqliteStoreOptions,
  type StoreFacts,
  StoreFileError,
  type StoreFileProblem,
  type StoreName,
  type StoreNames,
  type StoreReport,
  verifyBackup,
} from './sqlite/index.ts';
export { type RunningServer, startServer } from './start-server.ts';
