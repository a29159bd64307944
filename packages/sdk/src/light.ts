import { createClient, type TopupClient } from './client.ts';
import type { TopupClientOptions } from './options.ts';
import { checkNames } from './request/check-options.ts';
import { clientOptionNames } from './request/config.ts';
import { plainHttp } from './sending/plain-http.ts';

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
  TopupClientOptions,
  WaitOptions,
} from './options.ts';
export { type Operation, operations } from './request/prepare.ts';
export type { CheckoutResource } from './resources/checkout.ts';
export type { GamesResource } from './resources/games.ts';
export type { InvoicesResource } from './resources/invoices.ts';
export type { CreatedOrder, OrdersResource } from './resources/orders.ts';
export type { PromosResource } from './resources/promos.ts';
export type { ResponseSchema, SchemaIssue, SchemaResult, SendRequest } from './resources/request.ts';
export type { Exchange, Result, TopupCall } from './sending/call.ts';
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
  type ListGamesResponse,
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
} from './types.ts';
export { version } from './version.ts';
export type {
  FinalState,
  OrderResult,
  OrderWait,
  OutcomeName,
  PaidState,
  Until,
} from './waiting/order-result.ts';

/**
 * Creates the same client as the main entry, at less than half the size: it does not validate responses, and uses the
 * platform's `fetch` without ky. Every rejection of its methods is a `TopupError`.
 *
 * @throws {TopupUsageError} when an option is invalid, or the environment has no `fetch`, `Request` and the like.
 *
 * @example
 * ```ts
 * import { createTopupClient } from '@topup-kit/sdk/light';
 *
 * const client = createTopupClient({ baseUrl: 'https://shop.example/api' });
 * ```
 */
export function createTopupClient(options: TopupClientOptions = {}): TopupClient {
  checkNames(options, clientOptionNames);
  return createClient(options, plainHttp);
}
