import { createClient, type TopupClient } from './client.ts';
import type { TopupClientOptions } from './options.ts';
import { plainHttp } from './sending/plain-http.ts';

export { unitPrice } from '@topup-kit/core/contract';
export type { TopupClient } from './client.ts';
export {
  type AnyTopupError,
  type CallFacts,
  type ErrorOf,
  type HttpErrorCode,
  isTopupError,
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
  AttemptResponse,
  CreateOrderOptions,
  Fetch,
  Hooks,
  Logger,
  LogLevel,
  RequestOptions,
  TopupClientOptions,
  WaitOptions,
} from './options.ts';
export type { CheckoutResource } from './resources/checkout.ts';
export type { GamesResource } from './resources/games.ts';
export type { InvoicesResource } from './resources/invoices.ts';
export type { OrdersResource } from './resources/orders.ts';
export type { PromosResource } from './resources/promos.ts';
export type { Exchange, Result, TopupCall } from './sending/call.ts';
export type {
  BuyStatus,
  Category,
  CreatedOrder,
  CreateOrderRequest,
  CreateOrderResponse,
  Game,
  GameDetail,
  GameWithCategory,
  GetCheckoutResponse,
  GetGameResponse,
  GetInvoiceResponse,
  GetPaymentStatusResponse,
  InvoiceGame,
  InvoiceOrder,
  InvoiceProduct,
  ListGamesResponse,
  Order,
  PaymentMethod,
  PaymentState,
  PaymentStatus,
  Pricing,
  Product,
  PromoValidation,
  TargetField,
  ValidatePromoRequest,
  ValidatePromoResponse,
} from './types.ts';
export { version } from './version.ts';
export type { FinalState, OrderResult, OrderWait, PaidState, Until } from './waiting/order-result.ts';

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
export const createTopupClient = (options: TopupClientOptions): TopupClient =>
  createClient(options, plainHttp);
