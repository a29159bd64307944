// Exports of both the main entry and the light one.
export { formatMoney, type Locale, type Operation, unitPrice } from '@topup-kit/core/contract';
export {
  type AnyTopupError,
  errorCodes,
  isTopupError,
  type Method,
  TopupAbortError,
  TopupError,
  type TopupErrorCode,
  TopupHttpError,
  TopupNetworkError,
  TopupResponseError,
  TopupTimeoutError,
  TopupUnknownOutcomeError,
  TopupUsageError,
  TopupWaitError,
  TopupWebhookError,
} from './errors/index.ts';
export * from './generated/types.ts';
export { operations } from './operations.ts';
export type {
  Attempt,
  CreateOrderOptions,
  Fetch,
  Hooks,
  Logger,
  RequestOptions,
  RouteRequestOptions,
  WaitGoal,
  WaitOptions,
} from './options.ts';
export type { CreatedOrder, OrderList, OrderPage } from './resources/orders.ts';
export type { ResponseSchema, SendRequest } from './resources/request.ts';
export type * from './resources/resources.ts';
export type { ResponseWithMetadata, Result, TopupCall, WithRequestId } from './results.ts';
export { version } from './version.ts';
export type { FinalState, OrderWait, PaidState, WaitResult } from './waiting/order-result.ts';
export * from './webhooks/sign-webhook.ts';
export * from './webhooks/verify-webhook.ts';
