export type { AlertDescription } from './alert-kinds.ts';
export { type AlertOf, type RejectedByLimits, stuckAfterMs } from './alerts.ts';
export { type BelowCost, findBelowCost, findPromoLosses } from './catalog/costs.ts';
export { type CatalogFile, type CatalogProblem, readCatalogFile } from './catalog/file.ts';
export type { CatalogView, ShownGame } from './catalog/view.ts';
export { submitFunded } from './delivery/deliver.ts';
export type { PendingItem } from './delivery/purchase.ts';
export { isHeldUp, isSubmitted } from './delivery/results.ts';
export type { DueWork, RunTracked } from './due-work.ts';
export * from './earnings.ts';
export { createEngine, defaultReplayDays, type Engine, type EngineDependencies } from './engine.ts';
export {
  DomainError,
  type Formats,
  invalidFields,
  type MessageParams,
  OperatorError,
  overusedWords,
} from './errors.ts';
export type * from './events.ts';
export { isStoreFailure } from './failures.ts';
export {
  type EventPage,
  eventBody,
  eventId,
  eventsOf,
  type FeedEvent,
  type InvoiceData,
  type ReadEvents,
  type RenderInvoice,
} from './feed.ts';
export * from './key-administration.ts';
export * from './keys.ts';
export {
  type MarkOrderInput,
  markWords,
  type OperatorCommand,
  type RefundOrder,
  type RetryOrder,
  UnitsError,
} from './operator-plans.ts';
export * from './operators.ts';
export type { InvoicedOrder, OrderPage } from './orders/orders.ts';
export type { OrderCommand, OrderResponse } from './orders/place-order.ts';
export {
  AbandonError,
  abandonOrder,
  abandonWords,
  findAbandonable,
  findUnclear,
  type Unclear,
  voidOrder,
} from './orders/recover.ts';
export { isAllowed, type OperatorEvent, operatorStates } from './orders/states.ts';
export { createProviderHealth } from './provider-health.ts';
export {
  AmountError,
  amountToPay,
  attachOrders,
  type ListedRefund,
  type RefundBalance,
  readReconciliations,
  readRefundRecords,
  refundBalance,
} from './refunds.ts';
export type { Room } from './rooms.ts';
export { codeAt } from './suppliers.ts';
export { createWorldClock, localMoment, type WorldClock, type ZonedTime, zonedTime } from './time.ts';
export * from './verify.ts';
export { withTimeout, yieldToEventLoop } from './waiting.ts';
