import { createIdempotencyKey } from '../idempotency-key.ts';
import type { CreateOrderOptions } from '../options.ts';
import type { Send } from '../transport.ts';
import type { OrderCreatedAnswer, OrderRequest } from '../types.ts';

/** Orders. */
export interface OrdersResource {
  /**
   * Creates an order: `{ success, message, orderId, data }`, money in integer rupiah, `data.expired_at`
   * ISO 8601 (`POST /order`, interface 4.2).
   *
   * Every call carries one `Idempotency-Key`, which every error shows as `error.idempotencyKey`. When the
   * outcome is unknown (time-out, cut connection, 5xx, unreadable answer) the message says so; a server that
   * honours the key makes no second order when you call again with it.
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
  create(request: OrderRequest, options?: CreateOrderOptions): Promise<OrderCreatedAnswer>;
}

export function createOrders(send: Send): OrdersResource {
  return {
    create: async (request, options) =>
      send({
        operation: 'createOrder',
        params: {},
        body: request,
        idempotencyKey: options?.idempotencyKey ?? createIdempotencyKey(),
        options,
      }),
  };
}
