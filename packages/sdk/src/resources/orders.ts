import type {
  CreateOrderRequest,
  CreateOrderResponse,
  ListedOrder,
  ListOrdersQuery,
  ListOrdersResponse,
} from '../generated/types.ts';
import type { Send } from '../operations.ts';
import type { CreateOrderOptions, RequestOptions, Until, WaitOptions } from '../options.ts';
import type { TextExchange, TopupCall, WithRequestId } from '../results.ts';
import { asCall } from '../sending/call.ts';
import type { OrderWait } from '../waiting/order-result.ts';

/** The result of `orders.create`: the response, and two non-enumerable properties of the request. */
export interface CreatedOrder extends CreateOrderResponse {
  /** The `Idempotency-Key` of the request. It is not part of the response body. */
  readonly idempotencyKey: string;
  /** The service's `X-Request-Id`, as on every result. */
  readonly requestId?: string | undefined;
}

/** A page of orders: `for` reads its own orders, `for await` also those of all later pages. */
export interface OrderPage
  extends WithRequestId<ListOrdersResponse>,
    Iterable<ListedOrder>,
    AsyncIterable<ListedOrder> {}

/** A call that resolves with a page of orders; as an async iterable, the orders of this page and of all later ones. */
export interface OrderList extends TopupCall<OrderPage>, AsyncIterable<ListedOrder> {}

/** Orders: create one, wait for its result, and list them. */
export interface OrdersResource {
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
  waitFor<Goal extends Until = 'final'>(orderId: string, options?: WaitOptions<Goal>): OrderWait<Goal>;

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
  /** Finds the order that was placed with a key, which must not be undefined or empty: every order would match. */
  list(query: ListOrdersQuery & { idempotency_key: string }, options?: RequestOptions): OrderList;
}

export function createList(send: Send): OrdersResource['list'] {
  const readPage = async (
    query: ListOrdersQuery,
    options: RequestOptions | undefined,
  ): Promise<TextExchange<OrderPage>> => {
    const exchange = await send({ operation: 'listOrders', query, options });
    const { data: response } = exchange;
    // Not enumerable, so that users print, compare and store only the response itself.
    Object.defineProperties(response, {
      [Symbol.iterator]: { value: () => response.data.values() },
      [Symbol.asyncIterator]: {
        async *value() {
          let { data, next_cursor: cursor } = response;
          yield* data;
          while (cursor !== null) {
            ({ data, next_cursor: cursor } = (await readPage({ ...query, cursor }, options)).data);
            yield* data;
          }
        },
      },
    });
    // safe: the iterators were added
    return exchange as TextExchange<OrderPage>;
  };

  return (query: ListOrdersQuery = {}, options?: RequestOptions) => {
    const firstPage = asCall(readPage(query, options));
    return Object.assign(firstPage, {
      async *[Symbol.asyncIterator]() {
        yield* await firstPage;
      },
    });
  };
}
