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

/** The client. Each resource is a property with one method for each operation. Methods resolve with the JSON of the response. */
export interface TopupClient<Options = TopupClientOptions> {
  /** The games of the catalogue: `list`, and `get` with products. */
  readonly games: {
    /**
     * Lists all games: `{ success, games, populerGames }`. Each game in `games` has its `category` (`GET /games`, interface 4.1).
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
     * `{ success, game, paymentMethods }` (`GET /order/{slug}`, observed on the live service). Rejects with a 404 if the slug is unknown.
     *
     * @example
     * ```ts
     * const { game, paymentMethods } = await client.checkout.get('mobile-legends');
     * ```
     */
    get(slug: string, options?: RequestOptions): TopupCall<ResponseData<GetCheckoutResponse>>;
  };

  /** Orders: `create` an order, `waitFor` its delivery, and `list` the orders of your account. */
  readonly orders: {
    /**
     * Creates an order: `{ success, message, orderId, data }`, amounts in integer rupiah, `data.expired_at` ISO 8601 (`POST /order`,
     * interface 4.2).
     *
     * All attempts of a call have the same `Idempotency-Key`, which is the property `idempotencyKey` of the result and of every error. The
     * client retries only if no order can have been created (no connection, 429, 503), or if the service honours the key. Otherwise, a call
     * without a clear response rejects with a `TopupUnknownOutcomeError`. Save the request and the key before the call. Then you can clear
     * up an unknown outcome later, even in another process, by repeating the call with the option `idempotency: 'supported'`.
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
     * Waits until an order is delivered or has another final state, and resolves with the state and its `outcome`. It polls the state
     * (`invoices.paymentStatus`): every second at first, later every ten seconds, or as the service requests. It continues after temporary
     * failures. The result is also an async iterable of all new states; leaving a loop over it ends the wait.
     *
     * Rejects with a `TopupWaitError` if the time runs out; the error contains the last known state.
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
     * Lists the orders of your account, newest first: `{ success, data, next_cursor }`, amounts in integer rupiah, times of the query in
     * unix seconds (`GET /orders`, defined by Topup Kit; other services may reject it with a 404). A `for await` loop over the result, or
     * over a page, reads one page after another. With `idempotency_key`, it finds an order that was created by a call without a clear
     * response. An empty list doesn't prove that no order exists, because the request may still be in flight.
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
    /** Finds the order that was placed with a key. Rejects an undefined or empty key, because every order would match. */
    list(query: ListOrdersQuery & { idempotency_key: string }, options?: RequestOptions): OrderList;
  };

  /** Invoices: `get` an invoice, or only its `paymentStatus`. */
  readonly invoices: {
    /**
     * Returns the invoice of an order: `{ success, order, game, product }`, amounts in integer rupiah, `expired_time` in unix seconds
     * (`GET /invoice/{order_id}`, observed on the live service). Rejects with a 404 if the id is unknown or belongs to another account.
     *
     * @example
     * ```ts
     * const { order } = await client.invoices.get(orderId);
     * ```
     */
    get(orderId: string, options?: RequestOptions): TopupCall<ResponseData<GetInvoiceResponse>>;

    /**
     * Returns only the state of an order, for polling: `{ success, data }`, `expired_time` in unix seconds
     * (`GET /invoice/{order_id}/payment-status`, observed on the live service). An order is complete if it is `PAID` and `Sukses`
     * (delivered).
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
     * Returns the price of one unit with a promo code, in integer rupiah: `{ success, message, data }` (`POST /promo/validate`, observed on
     * the live service). It does not use up the promo. Rejects with a 422 and the same error as an order if the code can't be used, and
     * with a 404 if the game, product or payment method is unknown.
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

  /** Accounts to top up: `check` looks up a player and the nickname. */
  readonly accounts: {
    /**
     * Looks up a player, and returns the nickname to show under the field (`POST /account/check`, a Topup Kit extension: other services may
     * reject it with a 404). An order doesn't need this check. Only `not_found` in `data.status` is a reason not to place the order:
     * `unsupported` and `unavailable` say nothing about the account. Rejects with a 404 if the game is unknown, and with a 422 if a field
     * is missing.
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

  /** Events of your orders: `list` returns the events after a cursor. */
  readonly events: {
    /**
     * Lists the events of your account's orders after a cursor, oldest first: `{ success, data, next_cursor }` (`GET /events`, a Topup Kit
     * extension: other services may reject it with a 404). Without `after`, the list is empty, and `next_cursor` is the position before the
     * next event. Rejects with a 422 if the service doesn't know the cursor.
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

  /** Calls a route of the service that has no method of its own. */
  readonly request: RequestFunction;

  /**
   * Creates a client with changed options. All other options stay the same, and `headers` are added to this client's headers. Both clients
   * share their knowledge about the service's support for idempotency keys, unless `baseUrl`, `fetch` or `idempotency` is given.
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
