export { type AlertAdvice, alertAdvice } from './alert-advice.ts';
export { type Alert, type AlertKind, type AlertSource, alertKinds, findAlerts } from './alerts.ts';
export type { CallbackSource, Callbacks, ReceivedCallback } from './callbacks.ts';
export { type BelowCost, findBelowCost, findPromoLosses } from './catalog/costs.ts';
export { type CatalogChange, diffCatalogs, type FieldChange } from './catalog/diff.ts';
export { type CatalogFile, type CatalogProblem, readCatalogFile } from './catalog/file.ts';
export type { CatalogView, ShownGame } from './catalog/view.ts';
export type { DueWork, WatchWork } from './due-work.ts';
export { createEngine, type Engine, type EngineDependencies } from './engine.ts';
export { DomainError, invalidFields, type MessageParams } from './errors.ts';
export type {
  CallbackReport,
  CountedOutcome,
  DeliveryOutcome,
  Emit,
  EngineEvent,
  PaymentEvent,
} from './events.ts';
export { isOfStore } from './failures.ts';
export {
  type Caller,
  createKeyText,
  type FixedKey,
  type IssuedKey,
  isKeyText,
  issueKey,
  type KeyMode,
  type Keyring,
  keyState,
  rotateKey,
  sandboxAccount,
  sandboxKey,
} from './keys.ts';
export {
  type AppliedPayment,
  type AskedPayments,
  applyPayments,
  askForPayments,
  type LostPayments,
} from './lost-payments.ts';
export { type Mark, type OperatorCommand, type RefundOrder, UnitsError } from './operator-plans.ts';
export {
  markOrder,
  type OperatorDependencies,
  previewOrder,
  previewPromo,
  previewRefund,
  previewRevoked,
  type RefundedOrder,
  readRefundBalance,
  refundOrder,
  retryOrder,
} from './operators.ts';
export type { OrderPage } from './orders/orders.ts';
export { findUnclear, type Unclear } from './orders/payment-step.ts';
export type { OrderCommand, OrderResponse } from './orders/place-order.ts';
export { type OperatorEvent, operatorStates } from './orders/states.ts';
export type { PendingItem } from './pending-items.ts';
export { createProviderProblems, type ReportCall } from './provider-problems.ts';
export { AmountError, closeRefund, type RefundBalance } from './refunds.ts';
export {
  createSandbox,
  createWorldClock,
  type Sandbox,
  visitDueMoments,
  type WorldClock,
} from './sandbox.ts';
export { type SandboxAction, sandboxActions } from './sandbox-actions.ts';
export {
  callScenarios,
  createScenarioSwitch,
  gatewayWithOutage,
  IntendedError,
  isScenario,
  orderScenarios,
  type SupplierOutcome,
  sandboxScenarios,
  supplierWithOutcomes,
} from './scenarios.ts';
export {
  previewSettlement,
  returnPayment,
  type SettledOrder,
  type Settlement,
  settleReconciliation,
} from './settling.ts';
export { localMoment, yieldToEventLoop, type ZonedTime, zonedTime } from './time.ts';
export { unprovenPerMinute } from './unproven-callbacks.ts';
