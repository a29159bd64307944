export type {
  CallbackOutcome,
  CallbackReceiver,
  CallbackRequest,
  CallbackResponse,
  ParsedCallback,
} from '@topup-kit/core/callback';
export {
  type BuyStatus,
  completeDialect,
  type Dialect,
  type DialectOverrides,
  InvalidDialectError,
  interfaceOnlyDialect,
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
  CheckPaymentRequest,
  ExpiryLimits,
  FindPaymentRequest,
  FindPaymentResult,
  GatewayPayment,
  ListedPayment,
  LocalGateway,
  PaymentCallback,
  PaymentGateway,
  PaymentItem,
  PaymentRejection,
  PaymentReport,
  PaymentRequest,
  RemoteGateway,
  UnusablePayment,
} from '@topup-kit/core/gateway';
export { type Clock, type RandomBytes, secureRandom } from '@topup-kit/core/platform';
export type {
  Catalog,
  CatalogGame,
  CatalogPaymentMethod,
  CatalogProduct,
  Discount,
  OrderFilter,
  OrderState,
  OrderStateCount,
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
  FindPurchaseRequest,
  FindPurchaseResult,
  PurchaseRequest,
  PurchaseResult,
  RetryAfterError,
  Supplier,
  SupplierAbilities,
  SupplierProduct,
} from '@topup-kit/core/supplier';
export {
  type FakeGateway,
  type GatewayFault,
  type GatewayTestCase,
  gatewayCases,
} from '@topup-kit/suites/gateway';
export {
  type FakeSupplier,
  type SupplierCase,
  type SupplierFault,
  supplierCases,
} from '@topup-kit/suites/supplier';
export { readConfig, type ServerConfig } from './config/config.ts';
export { ConfigError, type StoreAddress, type Variable } from './config/variable.ts';
export {
  type CopiedContent,
  type CopiedStore,
  copyStore,
  type StoreCopyOptions,
  type StoreCopyProgress,
} from './copy/copy-store.ts';
export { CopyError, type CopyErrorCode } from './copy/side.ts';
export { type DatabaseInspection, inspectDatabase } from './postgres/inspect.ts';
export { PostgresError, type PostgresErrorCode } from './postgres/postgres-error.ts';
export { openStore, type StoreUpgradeOptions, upgradeStore } from './service/open-store.ts';
export type { ServerOverrides } from './service/parts.ts';
export { type RunningServer, startServer } from './service/start-server.ts';
export type { StoreContent, StoreInspection, StoreReport } from './sql/store-report.ts';
export {
  type BackupInfo,
  type BackupOptions,
  backUpStore,
  type CheckLevel,
  type CopyOptions,
  type CopyProgress,
  type Inspection,
  type InspectOptions,
  inspectStore,
  type RestoreOptions,
  type RestoreResult,
  restoreStore,
  StoreFileError,
  type StoreFileErrorCode,
  type StoreInfo,
  type StoreUpgrade,
  verifyBackup,
} from './sqlite/index.ts';
export { type Verification, type VerifyOptions, verifyStore } from './verify/verify-store.ts';
