export {
  type BuyStatus,
  completeDialect,
  type Dialect,
  type DialectOverrides,
  InvalidDialectError,
  interfaceOnlyDialect,
  kitDialect,
  type Locale,
  type Operation,
  type PaymentStatus,
  parseDialect,
  type TopupEvent,
} from '@topup-kit/core/contract';
export type { CatalogFile } from '@topup-kit/core/engine';
export type {
  Fault,
  FaultInput,
  MockWebhooks,
  PlayResult,
  Seed,
  SentWebhook,
  Step,
  StepsFile,
  TriggerInput,
  WebhookFault,
  WebhookReceiver,
} from '@topup-kit/core/features/sandbox';
export type { MockRequest } from './calls.ts';
export type * from './catalog/types.ts';
export type { MockFaults } from './faults.ts';
export {
  createMockService,
  type MockCatalog,
  type MockClock,
  type MockScenarios,
  type MockService,
  type OrderControls,
  type OrderState,
  type OrderStateName,
} from './mock-service.ts';
export type { Latency, MockOptions } from './options.ts';
export type { PortabilityFinding, PortabilityReport } from './portability.ts';
export {
  type ActiveScenario,
  type ScenarioName,
  type ScenarioScope,
  scenarioHeader,
  scenarios,
} from './scenarios.ts';
export type { MockSnapshot } from './world/worlds.ts';
