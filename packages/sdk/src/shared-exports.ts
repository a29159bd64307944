// What the main entry and the light one both export.
export { formatMoney, type Locale, unitPrice } from '@topup-kit/core/contract';
export type { TopupClient } from './client.ts';
export {
  type AnyTopupError,
  type CallFacts,
  type CallName,
  type ErrorOf,
  errorCodes,
  type HttpErrorCode,
  isTopupError,
  type KnownHttpErrorCode,
  type Method,
  type OwnErrorCode,
  type ResponseErrorCode,
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
  type UnknownOutcomeCause,
  type UsageErrorCode,
  type WaitErrorCode,
  type WebhookErrorCode,
} from './errors/index.ts';
export {
  type AccountCheck,
  type AccountStatus,
  type AlertEvent,
  type AlertEventData,
  accountStatuses,
  type BalanceEventData,
  type BalanceLowEvent,
  type BuyStatus,
  buyStatuses,
  type CatalogChangedEvent,
  type CatalogEventData,
  type Category,
  type CheckAccountRequest,
  type CheckAccountResponse,
  type CreateOrderRequest,
  type CreateOrderResponse,
  type DiscountType,
  discountTypes,
  type FailureReason,
  failureReasons,
  type Game,
  type GameDetail,
  type GameWithCategory,
  type GetCheckoutResponse,
  type GetGameResponse,
  type GetInvoiceResponse,
  type GetPaymentStatusResponse,
  type InvoiceGame,
  type InvoiceOrder,
  type InvoiceProduct,
  type ListEventsQuery,
  type ListEventsResponse,
  type ListedOrder,
  type ListGamesResponse,
  type ListOrdersQuery,
  type ListOrdersResponse,
  type Order,
  type OrderEvent,
  type OrderEventData,
  type PaymentGroup,
  type PaymentMethod,
  type PaymentMethodType,
  type PaymentState,
  type PaymentStatus,
  type Pricing,
  type Product,
  type Promo,
  type PromoPricing,
  type PromoValidation,
  paymentGroups,
  paymentMethodTypes,
  paymentStatuses,
  type TargetField,
  type TargetFieldName,
  type TestEventData,
  type TopupEvent,
  targetFieldNames,
  type UnknownEvent,
  type ValidatePromoRequest,
  type ValidatePromoResponse,
  type WebhookTestEvent,
} from './generated/types.ts';
export type {
  Attempt,
  AttemptRequest,
  AttemptResponse,
  AttemptRetry,
  CreateOrderOptions,
  Fetch,
  Hooks,
  Logger,
  LogLevel,
  RequestOptions,
  RouteRequestOptions,
  Until,
  WaitFailure,
  WaitOptions,
} from './options.ts';
export { type Operation, operations } from './request/prepare.ts';
export type { AccountsResource } from './resources/accounts.ts';
export type { CheckoutResource } from './resources/checkout.ts';
export type { EventsResource } from './resources/events.ts';
export type { GamesResource } from './resources/games.ts';
export type { InvoicesResource } from './resources/invoices.ts';
export type { CreatedOrder, OrderList, OrderPage, OrdersResource } from './resources/orders.ts';
export type { PromosResource } from './resources/promos.ts';
export type { ResponseSchema, SchemaIssue, SchemaResult, SendRequest } from './resources/request.ts';
export type { Exchange, Result, TopupCall, WithRequestId } from './sending/call.ts';
export { version } from './version.ts';
export type {
  FinalState,
  OrderResult,
  OrderWait,
  OutcomeName,
  PaidState,
} from './waiting/order-result.ts';
export type { WebhookSecret } from './webhooks/secret.ts';
export {
  type SignedWebhook,
  type SignWebhookOptions,
  signWebhook,
  type UnsignedEvent,
} from './webhooks/sign-webhook.ts';
export {
  type ReceivedHeaders,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookBody,
} from './webhooks/verify-webhook.ts';
export { webhooks } from './webhooks/webhooks.ts';
