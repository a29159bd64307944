import {
  type CreateOrderResponse,
  type GetPaymentStatusResponse,
  type Locale,
  type Order,
  orderCreatedMessage,
} from '../../contract/index.ts';
import { type EngineDependencies, zonedTime } from '../../engine/index.ts';
import type { OrderProgress, StoredOrder } from '../../store/index.ts';
import type { Tools } from '../operation.ts';
import { type AppSettings, resolveDialect } from '../settings.ts';
import { createUrls } from '../urls.ts';

export type ViewTools = Pick<Tools, 'urls' | 'localTime'>;

/** Returns the payment code, or the payment reference if the gateway gives no code. */
export const paymentCode = ({ payment }: StoredOrder): string => payment.code ?? payment.reference;

/** Splits a code for display: a number into groups of four digits, any other code into one group. */
export const codeGroups = (code: string): string[] =>
  /^\d+$/.test(code) ? (code.match(/.{1,4}/g) ?? []) : [code];

/** Renders an order by interface 2.3. */
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

/** Renders the response to a new order by interface 4.2. */
const orderCreatedView = (order: StoredOrder, locale: Locale, tools: ViewTools): CreateOrderResponse => ({
  success: true,
  message: orderCreatedMessage[locale],
  orderId: order.orderId,
  data: orderView(order, tools),
});

export const unixSeconds = (moment: number): number => Math.floor(moment / 1000);

/** Renders the body of `GET /invoice/{order_id}/payment-status`. */
export const paymentStatusView = (order: OrderProgress): GetPaymentStatusResponse => ({
  success: true,
  data: {
    order_id: order.orderId,
    payment_status: order.paymentStatus,
    buy_status: order.buyStatus,
    expired_time: unixSeconds(order.expiresAt),
  },
});

/** Creates the tools that build absolute URLs and times for responses. */
export const viewTools = (settings: AppSettings): ViewTools => ({
  urls: createUrls(settings.publicUrl),
  localTime: zonedTime(resolveDialect(settings).timezone),
});

/**
 * Creates a function that renders an order's 201 response, which is stored with the order and replayed byte for byte. If no request gives a
 * language, as for an order that is finished after a crash, the response is in the service's own language.
 */
export function createResponseRenderer(settings: AppSettings): EngineDependencies['renderResponse'] {
  const tools = viewTools(settings);
  return (order, locale = settings.locale) => ({
    body: JSON.stringify(orderCreatedView(order, locale, tools)),
    locale,
  });
}
