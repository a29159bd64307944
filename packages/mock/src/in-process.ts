export {
  type BuyStatus,
  completeDialect,
  type Dialect,
  type DialectChanges,
  InvalidDialectError,
  interfaceOnly,
  kitDialect,
  type Operation,
  type PaymentGroup,
  type PaymentStatus,
  parseDialect,
  type TargetField,
} from '@topup-kit/core/contract';
export type { CatalogFile, SandboxAction } from '@topup-kit/core/engine';
export type {
  Catalog,
  CatalogGame,
  CatalogPaymentMethod,
  CatalogProduct,
  Discount,
  Promo,
} from '@topup-kit/core/store';
export type { PortabilityFinding, PortabilityReport } from './checks/portability.ts';
export { createMockService, type MockService, type OrderControls, type OrderState } from './mock-service.ts';
export type { MockOptions } from './options.ts';
export type { MockRequest } from './requests.ts';
export type { ActiveScenario, ScenarioPlace } from './scenarios/board.ts';
export { type ScenarioName, scenarioHeader, scenarios } from './scenarios/names.ts';
export type { MockSnapshot } from './world/worlds.ts';
