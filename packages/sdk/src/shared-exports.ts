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
  CustomRequestOptions,
  Fetch,
  Hooks,
  Logger,
  RequestOptions,
  WaitGoal,
  WaitOptions,
} from './options.ts';
export type { CreatedOrder, OrderList, OrderPage } from './resources/orders.ts';
export type { RequestFunction, ResponseSchema } from './resources/request.ts';
export type * from './resources/resources.ts';
export type { ResponseData, ResponseWithMetadata, Result, TopupCall } from './results.ts';
export { version } from './version.ts';
export type { FinalResult, OrderWait, PaidResult, WaitResult } from './waiting/order-result.ts';
export * from './webhooks/sign-webhook.ts';
export * from './webhooks/verify-webhook.ts';
