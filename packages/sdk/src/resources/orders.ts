import type {
  CreateOrderResponse,
  ListedOrder,
  ListOrdersQuery,
  ListOrdersResponse,
} from '../generated/types.ts';
import type { Send } from '../operations.ts';
import type { RequestOptions } from '../options.ts';
import type { ResponseData, ResponseWithText, TopupCall } from '../results.ts';
import { asCall } from '../sending/call.ts';

/** The result of `orders.create`: the response, and the request's key and id as non-enumerable properties. */
export interface CreatedOrder extends CreateOrderResponse {
  /** The `Idempotency-Key` of the request. It is not part of the response body. */
  readonly idempotencyKey: string;
  /** The service's `X-Request-Id`, part of every result. */
  readonly requestId?: string | undefined;
}

/** A page of orders. A `for` loop reads the orders of this page; a `for await` loop also reads those of all later pages. */
export interface OrderPage
  extends ResponseData<ListOrdersResponse>,
    Iterable<ListedOrder>,
    AsyncIterable<ListedOrder> {}

/** A call that resolves with a page of orders. As an async iterable, it returns the orders of this page and of all later pages. */
export interface OrderList extends TopupCall<OrderPage>, AsyncIterable<ListedOrder> {}

export function createList(send: Send): (query?: ListOrdersQuery, options?: RequestOptions) => OrderList {
  const readPage = async (
    query: ListOrdersQuery,
    options: RequestOptions | undefined,
  ): Promise<ResponseWithText<OrderPage>> => {
    const exchange = await send({ operation: 'listOrders', query, options });
    const { data: response } = exchange;
    // These are not enumerable, so that users print, compare and store only the response itself.
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
    // Safe: the iterators were added.
    return exchange as ResponseWithText<OrderPage>;
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
