/** The types that both entries share. */
export type { TopupClient } from './client.ts';
export type {
  Answered,
  Attempt,
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
export type * from './types.ts';
export type { FinalState, OrderResult, OrderWait, PaidState, Until } from './waiting/order-result.ts';
