import type {
  CheckAccountRequest,
  CheckAccountResponse,
  CreateOrderRequest,
  GetCheckoutResponse,
  GetGameResponse,
  GetInvoiceResponse,
  GetPaymentStatusResponse,
  ListEventsQuery,
  ListEventsResponse,
  ListGamesResponse,
  ListOrdersQuery,
  ValidatePromoRequest,
  ValidatePromoResponse,
} from '../generated/types.ts';
import type {
  CreateOrderOptions,
  RequestOptions,
  TopupClientOptions,
  WaitGoal,
  WaitOptions,
} from '../options.ts';
import type { ResponseData, TopupCall } from '../results.ts';
import type { OrderWait } from '../waiting/order-result.ts';
import type { CreatedOrder, OrderList } from './orders.ts';
import type { RequestFunction } from './request.ts';

/** The client. It has one property for each resource, with one method for each operation. Methods resolve with the JSON of the response. */
export interface TopupClient<Options = TopupClientOptions> {
  /** The games of the catalogue: `list`, and `get` with products. */
  readonly games: {
    /**
     * Lists all games: `{ success, games, populerGames }`. Each game in `games` has its `category`
     * (`GET /games`, interface 4.1).
     *
     * @example
     * ```ts
     * const { games, populerGames } = await client.games.list();
     * ```
     */
    list(options?: RequestOptions): TopupCall<ResponseData<ListGamesResponse>>;

    /**
     * Returns a game with its products (prices in integer rupiah) and the fields of an order's target account: `{ success, data }` (`GET
     * /games/{slug}`; the path was observed on the live service, the body is defined by Topup Kit). Rejects with a 404 if the slug is
     * unknown.
     *
     * @example
     * ```ts
     * const { data } = await client.games.get('mobile-legends');
     * for (const product of data.products) console.log(product.id, product.title, product.selling_price);
     * ```
     */
    get(slug: string, options?: RequestOptions): TopupCall<ResponseData<GetGameResponse>>;
  };

  /** Data for a checkout page: `get` returns a game with products and payment methods. */
  readonly checkout: {
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
    get(slug: string, options?: RequestOptions): TopupCall<ResponseData<GetCheckoutResponse>>;
  };

  /** Orders: `create` one, `waitFor` its delivery, and `list` those of your account. */
  readonly orders: {
    /**
     * Creates an order: `{ success, message, orderId, data }`, amounts in integer rupiah, `data.expired_at`
     * ISO 8601 (`POST /order`, interface 4.2).
     *
     * Every call has one `Idempotency-Key` for all its attempts; the result and every error have it as `idempotencyKey`.
     * The client retries only when no order can have been created (no connection, 429, 503), or when the service honours
     * the key. Otherwise, a call without a clear response rejects with a `TopupUnknownOutcomeError`. Save request and key
     * before the call: with the option `idempotency: 'supported'`, the same call resolves an unknown outcome later, also in
     * another process.
     *
     * @example
     * ```ts
     * const { orderId, data } = await client.orders.create({
     *   id: '12345678',
     *   server: '2012',
     *   game: 'mobile-legends',
     *   product_id: 901,
     *   payment_method_id: 12,
     *   whatsapp: '081234567890',
     *   promo_code: 'RAMADAN10',
     *   quantity: 2,
     * });
     * console.log(orderId, data.pricing.total_price, data.payment_url);
     * ```
     */
    create(request: CreateOrderRequest, options?: CreateOrderOptions): TopupCall<CreatedOrder>;

    /**
     * Waits until an order is delivered or has another final state, and resolves with the state and its `outcome`. It
     * polls the state (`invoices.paymentStatus`): every second at first, later every ten seconds, or as the service
     * requests. It continues after temporary failures. The result is also an async iterable of all new states; leaving
     * such a loop ends the wait.
     *
     * Rejects with a `TopupWaitError` when the time runs out; the error has the last known state.
     *
     * @example
     * ```ts
     * const { outcome, state } = await client.orders.waitFor(orderId);
     * console.log(outcome, state.payment_status, state.buy_status);
     *
     * for await (const { payment_status } of client.orders.waitFor(orderId)) console.log(payment_status);
     * ```
     */
    waitFor<Goal extends WaitGoal = 'final'>(orderId: string, options?: WaitOptions<Goal>): OrderWait<Goal>;

    /**
     * Lists the orders of the account of the API key, newest first: `{ success, data, next_cursor }`, amounts in integer
     * rupiah, moments of the query in unix seconds (`GET /orders`, defined by Topup Kit; other services may reject it with
     * a 404). A `for await` loop over the result, or over a page, reads one page after another. With `idempotency_key`, it finds the order that a call
     * without a clear response created; an empty list is no proof that there is none, because the request may still be on
     * its way.
     *
     * @example
     * ```ts
     * const page = await client.orders.list({ buy_status: 'Gagal', limit: 50 });
     * for (const order of page) console.log(order.order_id);
     * console.log(page.data.length, page.next_cursor);
     *
     * for await (const order of client.orders.list({ created_from: 1774666800 })) console.log(order.order_id);
     * ```
     */
    list(query?: Omit<ListOrdersQuery, 'idempotency_key'>, options?: RequestOptions): OrderList;
    /** Finds the order that was placed with a key. The key must not be undefined or empty, because every order would match. */
    list(query: ListOrdersQuery & { idempotency_key: string }, options?: RequestOptions): OrderList;
  };

  /** Invoices: `get` one, or only its `paymentStatus`. */
  readonly invoices: {
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
    get(orderId: string, options?: RequestOptions): TopupCall<ResponseData<GetInvoiceResponse>>;

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
    ): TopupCall<ResponseData<GetPaymentStatusResponse>>;
  };

  /** Promo codes: `validate` returns the price with a code. */
  readonly promos: {
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
    ): TopupCall<ResponseData<ValidatePromoResponse>>;
  };

  /** Accounts to top up: `check` says whether a player exists, and the nickname. */
  readonly accounts: {
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
    ): TopupCall<ResponseData<CheckAccountResponse>>;
  };

  /** Events of your orders: `list` them after a cursor. */
  readonly events: {
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
    list(query?: ListEventsQuery, options?: RequestOptions): TopupCall<ResponseData<ListEventsResponse>>;
  };

  /** Calls a route of the service without its own method. */
  readonly request: RequestFunction;

  /**
   * Creates a client with other options. Options that are left out stay as they are; `headers` are added to this client's headers. Both
   * clients share what they know about the service's idempotency keys, unless `baseUrl`, `fetch` or `idempotency` is given.
   *
   * @throws {TopupUsageError} if an option is invalid.
   *
   * @example
   * ```ts
   * const patient = client.withOptions({ timeout: 60_000, headers: { 'Accept-Language': 'en' } });
   * const { games } = await patient.games.list();
   * ```
   */
  withOptions(options: Options): TopupClient<Options>;
}
