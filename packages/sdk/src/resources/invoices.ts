import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';
import type { InvoiceAnswer, PaymentStatusAnswer } from '../types.ts';

/** What became of an order. */
export interface InvoicesResource {
  /**
   * Reads an invoice: `{ success, order, game, product }`, money in integer rupiah, `expired_time` in unix
   * seconds (`GET /invoice/{order_id}`, live). An unknown id, or another account's, is a 404.
   *
   * @example
   * ```ts
   * const { order } = await client.invoices.get(orderId);
   * ```
   */
  get(orderId: string, options?: RequestOptions): TopupCall<InvoiceAnswer>;

  /**
   * Reads the state of an order, made to be polled: `{ success, data }`, `expired_time` in unix seconds
   * (`GET /invoice/{order_id}/payment-status`, live). Done means `PAID` and `Sukses`.
   *
   * @example
   * ```ts
   * const { data } = await client.invoices.paymentStatus(orderId);
   * const done = data.payment_status === 'PAID' && data.buy_status === 'Sukses';
   * ```
   */
  paymentStatus(orderId: string, options?: RequestOptions): TopupCall<PaymentStatusAnswer>;
}

export function createInvoices(send: Send): InvoicesResource {
  return {
    get: (orderId, options) =>
      asCall(send({ operation: 'getInvoice', params: { order_id: orderId }, options })),
    paymentStatus: (orderId, options) =>
      asCall(send({ operation: 'getPaymentStatus', params: { order_id: orderId }, options })),
  };
}
