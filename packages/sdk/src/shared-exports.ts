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
  type UnknownOutcomeCause,
  type UsageErrorCode,
  type WaitErrorCode,
} from './errors/index.ts';
export {
  type BuyStatus,
  buyStatuses,
  type Category,
  type CreateOrderRequest,
  type CreateOrderResponse,
  type DiscountType,
  discountTypes,
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
  type ListedOrder,
  type ListGamesResponse,
  type ListOrdersQuery,
  type ListOrdersResponse,
  type Order,
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
  targetFieldNames,
  type ValidatePromoRequest,
  type ValidatePromoResponse,
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
export type { CheckoutResource } from './resources/checkout.ts';
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
