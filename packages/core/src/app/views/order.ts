import {
  type CreateOrderResponse,
  type Locale,
  type Order,
  orderCreatedMessage,
} from '../../contract/index.ts';
import { zonedTime } from '../../engine/index.ts';
import type { RenderedResponse, StoredOrder } from '../../store/index.ts';
import type { Tools } from '../operation.ts';
import { type AppSettings, createUrls, resolveDialect } from '../settings.ts';

type ViewTools = Pick<Tools, 'urls' | 'localTime'>;

/** The payment code; the payment reference when the gateway gives no code. */
export const paymentCode = ({ payment }: StoredOrder): string => payment.code ?? payment.reference;

/** Splits a code for display: a number into groups of four digits; any other code is one group. */
export const codeGroups = (code: string): string[] =>
  /^\d+$/.test(code) ? (code.match(/.{1,4}/g) ?? []) : [code];

/** Interface 2.3. */
const orderView = (order: StoredOrder, { urls, localTime }: ViewTools): Order => ({
  order_id: order.orderId,
  payment_status: order.paymentStatus,
  buy_status: order.buyStatus,
  payment_url: urls.payment(order),
  payment_code: paymentCode(order),
  payment_reference: order.payment.reference,
  qr_url: order.payment.qrString === null ? null : urls.qrImage(order),
  expired_at: localTime(order.expiresAt).iso,
  quantity: order.pricing.quantity,
  total_price: order.pricing.total_price,
  pricing: order.pricing,
});

/** Interface 4.2. */
const orderCreatedView = (order: StoredOrder, locale: Locale, tools: ViewTools): CreateOrderResponse => ({
  success: true,
  message: orderCreatedMessage[locale],
  orderId: order.orderId,
  data: orderView(order, tools),
});

/**
 * Renders the 201 response, which is stored with the order and replayed byte for byte. Without the language of a
 * request, as for an order that is finished after a crash, it is in the service's own.
 */
export function createResponseRenderer(
  settings: AppSettings,
): (order: StoredOrder, locale?: Locale) => RenderedResponse {
  const { timezone } = resolveDialect(settings);
  const tools = { urls: createUrls(settings.publicUrl), localTime: zonedTime(timezone) };
  return (order, locale = settings.locale) => ({
    body: JSON.stringify(orderCreatedView(order, locale, tools)),
    locale,
  });
}
