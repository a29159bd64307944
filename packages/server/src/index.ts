export type {
  CallbackOutcome,
  CallbackReading,
  CallbackReceiver,
  CallbackRequest,
  CallbackResponse,
} from '@topup-kit/core/callback';
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
  sandboxKey,
  type TargetField,
} from '@topup-kit/core/contract';
export { createKeyText, type PaymentEvent } from '@topup-kit/core/engine';
export type {
  CheckPayment,
  ExpiryLimits,
  FindPaymentRequest,
  FindPaymentResult,
  GatewayPayment,
  ListedPayment,
  LocalGateway,
  PaymentCallback,
  PaymentGateway,
  PaymentItem,
  PaymentQuestion,
  PaymentReport,
  PaymentRequest,
  RejectedPayment,
  RemoteGateway,
  UnusablePayment,
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
  OrdersInState,
  Payment,
  Promo,
  PromoUses,
  Reconciliation,
  Refund,
  Store,
  StoredKey,
  StoredOrder,
  StoredUnit,
} from '@topup-kit/core/store';
export type {
  DeliveryCallback,
  FindRequest,
  FindResult,
  Supplier,
  SupplierAbilities,
  SupplierProduct,
  SupplyRequest,
  SupplyResult,
  TooSoon,
} from '@topup-kit/core/supplier';
export type { ProviderHost, ProviderSetting } from '@topup-kit/providers/provider';
export {
  type GatewayCase,
  type GatewayDouble,
  type GatewayFault,
  gatewayCases,
} from '@topup-kit/suites/gateway';
export {
  type SupplierCase,
  type SupplierDouble,
  type SupplierFault,
  supplierCases,
} from '@topup-kit/suites/supplier';
export {
  type ConsoleSettings,
  type Flags,
  readConfig,
  readConsoleSettings,
  readGateway,
  readSuppliers,
  type ServerConfig,
  type Setting,
  settings,
  variables,
} from './config/config.ts';
export { type Environment, providerSettings } from './config/providers.ts';
export { readSecretBox, type SecretBox } from './config/secret-box.ts';
export { ConfigError, type StoreAddress, storeName, type Variable } from './config/variable.ts';
export {
  type CopiedContent,
  type CopiedStore,
  copyStore,
  type StoreCopyOptions,
  type StoreCopyProgress,
} from './copy/copy-store.ts';
export { CopyError, type CopyProblem } from './copy/side.ts';
export { createCustomerHash } from './customers/customer-hash.ts';
export type { StoredCallback } from './features/callbacks/sql.ts';
export { consoleUrl } from './features/console/address.ts';
export { countMessages, eraseStrayMessages, findStrayMessages } from './features/inspection.ts';
export type { StoreNames } from './features/names.ts';
export { checkEndpointUrl } from './features/webhooks/guarded-agent.ts';
export {
  type DatabaseFacts,
  type DatabaseInspection,
  findServers,
  inspectDatabase,
  readDatabaseFacts,
  readDatabaseNames,
  rejectNoStore,
} from './postgres/inspect.ts';
export { PostgresError, type PostgresProblem } from './postgres/postgres-error.ts';
export type { StoreName } from './rows/names.ts';
export { openStore, type StoreUpgradeOptions, upgradeStore } from './service/open-store.ts';
export type { ServerParts } from './service/parts.ts';
export { sha256Hex } from './service/sha256.ts';
export { type RunningServer, startServer } from './service/start-server.ts';
export type { StoreContent, StoreInspection, StoreReport } from './sql/store-report.ts';
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
  emptyLog,
  findOpenOrders,
  findServer,
  type Inspection,
  type InspectOptions,
  inspectStore,
  isPartOfStore,
  lockForServer,
  type OpenOrder,
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
  type StoreUpgrade,
  verifyBackup,
} from './sqlite/index.ts';
export { type Verification, type VerifyOptions, verifyStore } from './verify/verify-store.ts';
