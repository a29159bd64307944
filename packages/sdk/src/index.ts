import { createClient, type TopupClient } from './client.ts';
import type { TopupClientOptions as ClientOptions } from './options.ts';
import { kyHttp } from './sending/ky-http.ts';
import { createResponseCheck, type Validation } from './validation/check-response.ts';

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
export type { Validation } from './validation/check-response.ts';
export { version } from './version.ts';
export type { FinalState, OrderResult, OrderWait, PaidState, Until } from './waiting/order-result.ts';

/** Options of `createTopupClient`. */
export interface TopupClientOptions extends ClientOptions {
  /**
   * What to do when a successful response does not match the documented format. `warn` (the default) returns the
   * response and logs the difference; `strict` rejects with a `TopupResponseError`, code `INVALID_RESPONSE`, that has
   * the JSON path; `off` does not validate. Unknown fields and unknown statuses are allowed.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, validation: 'strict' });
   * ```
   */
  validation?: Validation | undefined;
}

/**
 * Creates a client for a top-up service. Every rejection of its methods is a `TopupError`.
 *
 * @throws {TopupUsageError} when an option is invalid, or the environment has no `fetch`, `Request` and the like.
 *
 * @example
 * ```ts
 * const client = createTopupClient({
 *   baseUrl: 'http://127.0.0.1:4000/api',
 *   apiKey: process.env.TOPUP_API_KEY,
 * });
 * const { games } = await client.games.list();
 * ```
 */
export const createTopupClient = ({ validation, ...options }: TopupClientOptions): TopupClient =>
  createClient(options, kyHttp, createResponseCheck(validation));
