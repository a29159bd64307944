import type { CreateOrderOptions, WaitOptions } from '../options.ts';
import { asCall, type Exchange, type TopupCall } from '../sending/call.ts';
import { resolveIdempotencyKey } from '../sending/idempotency.ts';
import type { Send } from '../sending/send.ts';
import type { CreatedOrder, OrderRequest } from '../types.ts';
import type { OrderWait, Until } from '../waiting/order-result.ts';
import { createWaitFor } from '../waiting/wait-for.ts';

/** Orders. */
export interface OrdersResource {
  /**
   * Creates an order: `{ success, message, orderId, data }`, money in integer rupiah, `data.expired_at`
   * ISO 8601 (`POST /order`, interface 4.2).
   *
   * Every call carries one `Idempotency-Key`, the same over all its attempts, which the answer and every error
   * show as `idempotencyKey`. It is sent again only when no order can have been made (no connection, 429, 503),
   * or when the service honours the key. Where neither holds, an attempt that got no clear answer ends in a
   * `TopupUnknownOutcomeError`.
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
  create(request: OrderRequest, options?: CreateOrderOptions): TopupCall<CreatedOrder>;

  /**
   * Waits until an order is paid and delivered, or is final in another way, and tells which as `outcome`. It asks
   * for the state (`invoices.paymentStatus`, live) every second at first and every ten seconds at last, or as the
   * service asks; failures that pass by are waited out. Iterated over, it gives each new state; leaving the loop
   * ends the wait, and with it any other loop over it.
   *
   * Rejects with a `TopupWaitError` when its time runs out, with what it last saw.
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
}

export function createOrders(send: Send): OrdersResource {
  const create = async (
    request: OrderRequest,
    options?: CreateOrderOptions,
  ): Promise<Exchange<CreatedOrder>> => {
    const idempotencyKey = resolveIdempotencyKey(options?.idempotencyKey);
    const exchange = await send({
      operation: 'createOrder',
      params: {},
      body: request,
      idempotencyKey,
      options,
    });
    // Not enumerable: what is printed, compared or stored is the answer as it was on the wire.
    const data = Object.defineProperty(exchange.data, 'idempotencyKey', {
      value: idempotencyKey,
      enumerable: false,
    });
    // safe: the line before has added the property
    return { ...exchange, data: data as CreatedOrder };
  };
  return {
    create: (request, options) => asCall(create(request, options)),
    waitFor: createWaitFor(send),
  };
}
