import type { InvoiceOrder, Order, OrderRequest } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import type { ShownOrder } from './order-screen.ts';

/**
 * The answer to an order names neither game nor product, nor what the QR picture says; the invoice does. The order
 * stands without it, so a service that has none is no failure.
 */
export async function readNames(service: Service, orderId: string): Promise<InvoiceOrder | undefined> {
  try {
    const timeout = 5_000;
    const { order } = await service.ask((client, options) =>
      client.invoices.get(orderId, { ...options, timeout }),
    );
    return order;
  } catch {
    return undefined;
  }
}

/** An order that was just made. */
export const createdOrder = (
  order: Order,
  request: OrderRequest,
  names: InvoiceOrder | undefined,
): ShownOrder => ({
  orderId: order.order_id,
  paymentStatus: order.payment_status,
  buyStatus: order.buy_status,
  game: names?.games ?? request.game,
  product: names?.product ?? String(request.product_id),
  account: request.id,
  server: request.server,
  nickname: request.nickname,
  pricing: order.pricing,
  payment: {
    method: names?.payment_name ?? `method ${request.payment_method_id}`,
    code: order.payment_code,
    qrString: names?.qr_string,
    qrUrl: order.qr_url,
    pageUrl: order.payment_url,
    before: order.expired_at,
  },
});
