import type { InvoiceOrder, Order, OrderRequest } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import { ifOffered } from './if-offered.ts';
import type { ShownOrder } from './order-screen.ts';

export interface ReadInvoice {
  invoice: InvoiceOrder | undefined;
  /** Whether the service has shown that it shows no orders. */
  showsNone: boolean;
}

/**
 * The answer to an order names neither game nor product, nor what the QR picture says; the invoice does. The order
 * stands without it, so a service that has none is no failure.
 */
export async function readInvoice(service: Service, orderId: string): Promise<ReadInvoice> {
  const timeout = 5_000;
  try {
    const answer = await ifOffered(() =>
      service.ask((client, options) => client.invoices.get(orderId, { ...options, timeout })),
    );
    return { invoice: answer?.order, showsNone: answer === undefined };
  } catch {
    return { invoice: undefined, showsNone: false };
  }
}

/** What the QR picture says, where the code to pay with is that text itself: an EMV one begins with its version. */
const qrText = ({ payment_code, qr_url }: Order): string | undefined =>
  qr_url && payment_code?.startsWith('000201') ? payment_code : undefined;

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
    qrString: names?.qr_string ?? qrText(order),
    qrUrl: order.qr_url,
    pageUrl: order.payment_url,
    before: order.expired_at,
  },
});
