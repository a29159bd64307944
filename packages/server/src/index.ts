export {
  type BuyStatus,
  completeDialect,
  type Dialect,
  type DialectChanges,
  InvalidDialectError,
  interfaceOnly,
  kitDialect,
  type PaymentGroup,
  type PaymentStatus,
  type Pricing,
  parseDialect,
  type TargetField,
} from '@topup-kit/core/contract';
export { createKeyText, type PaymentEvent, sandboxKey } from '@topup-kit/core/engine';
export type {
  LocalGateway,
  PaymentGateway,
  PaymentRequest,
  RemoteGateway,
} from '@topup-kit/core/gateway';
export { type Clock, type Random, secureRandom } from '@topup-kit/core/platform';
export type {
  Catalog,
  CatalogGame,
  CatalogPaymentMethod,
  CatalogProduct,
  Discount,
  OrderFilter,
  OrderState,
  Payment,
  Promo,
  PromoUses,
  Reconciliation,
  Store,
  StoredKey,
  StoredOrder,
  StoredUnit,
} from '@topup-kit/core/store';
export type {
  FindRequest,
  FindResult,
  Supplier,
  SupplierAbilities,
  SupplyRequest,
  SupplyResult,
} from '@topup-kit/core/supplier';
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
  assertNotOwnFile,
  assertNotServed,
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
