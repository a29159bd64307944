import type {
  CheckAccountRequest,
  CheckAccountResponse,
  GetCheckoutResponse,
  GetGameResponse,
  GetInvoiceResponse,
  GetPaymentStatusResponse,
  ListEventsQuery,
  ListEventsResponse,
  ListGamesResponse,
  ValidatePromoRequest,
  ValidatePromoResponse,
} from '../generated/types.ts';
import type { RequestOptions } from '../options.ts';
import type { TopupCall, WithRequestId } from '../results.ts';
import type { OrdersResource } from './orders.ts';
import type { SendRequest } from './request.ts';

/** The client. It has one property for each resource, with one method for each operation. Methods resolve with the JSON of the response. */
export interface TopupClient {
  /** The games of the catalogue: `list`, and `get` with products. */
  readonly games: GamesResource;
  /** Data for a checkout page: `get` returns a game with products and payment methods. */
  readonly checkout: CheckoutResource;
  /** Orders: `create` one, `waitFor` its delivery, and `list` those of your account. */
  readonly orders: OrdersResource;
  /** Invoices: `get` one, or only its `paymentStatus`. */
  readonly invoices: InvoicesResource;
  /** Promo codes: `validate` returns the price with a code. */
  readonly promos: PromosResource;
  /** Accounts to top up: `check` says whether a player exists, and the nickname. */
  readonly accounts: AccountsResource;
  /** What happened to your orders: `list` it after a cursor. */
  readonly events: EventsResource;
  /** Calls a route of the service that has no method of its own. */
  readonly request: SendRequest;
}

/** The games of the catalogue. */
export interface GamesResource {
  /**
   * Lists all games: `{ success, games, populerGames }`. Each game in `games` has its `category`
   * (`GET /games`, interface 4.1).
   *
   * @example
   * ```ts
   * const { games, populerGames } = await client.games.list();
   * ```
   */
  list(options?: RequestOptions): TopupCall<WithRequestId<ListGamesResponse>>;

  /**
   * Returns a game with its products (prices in integer rupiah) and the fields of an order's target account:
   * `{ success, data }` (`GET /games/{slug}`; the path was observed on the live service, the body is defined by Topup
   * Kit). Rejects with a 404 when the slug is unknown.
   *
   * @example
   * ```ts
   * const { data } = await client.games.get('mobile-legends');
   * for (const product of data.products) console.log(product.id, product.title, product.selling_price);
   * ```
   */
  get(slug: string, options?: RequestOptions): TopupCall<WithRequestId<GetGameResponse>>;
}

/** Data for a checkout page. */
export interface CheckoutResource {
  /**
   * Returns a game with its products, and the payment methods with their fees and limits in integer rupiah:
   * `{ success, game, paymentMethods }` (`GET /order/{slug}`, observed on the live service). Rejects with a 404 when the
   * slug is unknown.
   *
   * @example
   * ```ts
   * const { game, paymentMethods } = await client.checkout.get('mobile-legends');
   * ```
   */
  get(slug: string, options?: RequestOptions): TopupCall<WithRequestId<GetCheckoutResponse>>;
}

/** Invoices and the state of orders. */
export interface InvoicesResource {
  /**
   * Returns the invoice of an order: `{ success, order, game, product }`, amounts in integer rupiah, `expired_time` in
   * unix seconds (`GET /invoice/{order_id}`, observed on the live service). Rejects with a 404 when the id is unknown or
   * belongs to another account.
   *
   * @example
   * ```ts
   * const { order } = await client.invoices.get(orderId);
   * ```
   */
  get(orderId: string, options?: RequestOptions): TopupCall<WithRequestId<GetInvoiceResponse>>;

  /**
   * Returns only the state of an order, for polling: `{ success, data }`, `expired_time` in unix seconds
   * (`GET /invoice/{order_id}/payment-status`, observed on the live service). An order is complete when it is `PAID` and
   * `Sukses` (delivered).
   *
   * @example
   * ```ts
   * const { data } = await client.invoices.paymentStatus(orderId);
   * const done = data.payment_status === 'PAID' && data.buy_status === 'Sukses';
   * ```
   */
  paymentStatus(
    orderId: string,
    options?: RequestOptions,
  ): TopupCall<WithRequestId<GetPaymentStatusResponse>>;
}

/** Promo codes. */
export interface PromosResource {
  /**
   * Returns the price of one unit with a promo code, in integer rupiah: `{ success, message, data }`
   * (`POST /promo/validate`, observed on the live service). It does not use up the promo. Rejects with a 422 when the
   * code cannot be used, with the same error as an order, and with a 404 when the game, product or payment method is
   * unknown.
   *
   * @example
   * ```ts
   * const { data } = await client.promos.validate({
   *   code: 'RAMADAN10',
   *   game_slug: 'mobile-legends',
   *   product_id: 901,
   *   payment_method_id: 12,
   * });
   * console.log(data.pricing.final_price);
   * ```
   */
  validate(
    request: ValidatePromoRequest,
    options?: RequestOptions,
  ): TopupCall<WithRequestId<ValidatePromoResponse>>;
}

/** Accounts to top up. */
export interface AccountsResource {
  /**
   * Says whether there is such a player, and the nickname to show under the field (`POST /account/check`, a Topup Kit extension:
   * a service without it rejects with a 404). Never needed for an order, and no reason not to place one unless
   * `data.status` is `not_found`: `unsupported` and `unavailable` say nothing of the account. Rejects with a 404 when the
   * game is unknown, and with a 422 when a field is missing.
   *
   * @example
   * ```ts
   * const { data } = await client.accounts.check({ game: 'mobile-legends', id: '12345678', server: '2012' });
   * if (data.status === 'found') console.log(data.nickname);
   * ```
   */
  check(
    request: CheckAccountRequest,
    options?: RequestOptions,
  ): TopupCall<WithRequestId<CheckAccountResponse>>;
}

/** What happened to your orders, for programs that can't be sent webhooks. */
export interface EventsResource {
  /**
   * Lists what happened to the orders of the account of the API key after a cursor, the oldest first: `{ success, data,
   * next_cursor }` (`GET /events`, a Topup Kit extension: a service without it rejects with a 404). Without `after` there are no
   * events, and `next_cursor` is where what happens from now on begins. Rejects with a 422 when the cursor is none of the service's.
   *
   * @example
   * ```ts
   * const { next_cursor } = await client.events.list();
   * const { data } = await client.events.list({ after: next_cursor });
   * for (const { type, data: { order } } of data) console.log(type, order.order_id);
   * ```
   */
  list(query?: ListEventsQuery, options?: RequestOptions): TopupCall<WithRequestId<ListEventsResponse>>;
}
