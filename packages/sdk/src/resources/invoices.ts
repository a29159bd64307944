import type { GetInvoiceResponse, GetPaymentStatusResponse } from '../generated/types.ts';
import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall, type WithRequestId } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';

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

export function createInvoices(send: Send): InvoicesResource {
  return {
    get: (orderId, options) =>
      asCall(send({ operation: 'getInvoice', params: { order_id: orderId }, options })),
    paymentStatus: (orderId, options) =>
      asCall(send({ operation: 'getPaymentStatus', params: { order_id: orderId }, options })),
  };
}
