import {
  type CreateOrderResponse,
  type GetInvoiceResponse,
  type GetPaymentStatusResponse,
  type InvoiceGame,
  type InvoiceOrder,
  type InvoiceProduct,
  type ListedOrder,
  type ListOrdersResponse,
  type Locale,
  type Order,
  orderCreatedMessage,
} from '../../contract/index.ts';
import {
  type EngineDependencies,
  type InvoicedOrder,
  type OrderPage,
  zonedTime,
} from '../../engine/index.ts';
import type { OrderProgress, StoredOrder } from '../../store/index.ts';
import type { Tools } from '../operation.ts';
import { type AppSettings, resolveDialect } from '../settings.ts';
import { createUrls, type Urls } from '../urls.ts';

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

const unixSeconds = (moment: number): number => Math.floor(moment / 1000);

/** All fields are required, so that none is forgotten; an optional one without a value is undefined. */
type Complete<Type> = {
  [Field in keyof Type]-?: Record<never, never> extends Pick<Type, Field>
    ? Type[Field] | undefined
    : Type[Field];
};

const withoutUndefined = <Type extends object>(fields: Complete<Type>): Type =>
  // Safe: only optional fields can be undefined, and these are removed.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Type;

const invoiceOrderView = (order: InvoicedOrder, { urls, localTime }: ViewTools): InvoiceOrder =>
  withoutUndefined<InvoiceOrder>({
    order_id: order.orderId,
    games: order.game.title,
    product: order.product.title,
    code_product: order.product.code,
    id_games: order.target.id,
    server_games: order.target.server,
    nickname: order.target.nickname,
    email: order.contact.email,
    whatsapp: order.contact.whatsapp,
    quantity: order.pricing.quantity,
    price: order.pricing.unit_price_after_promo,
    discount_price: order.pricing.unit_price_before_promo,
    promo_discount: order.pricing.promo_discount,
    fee: order.pricing.payment_fee,
    total_price: order.pricing.total_price,
    payment_name: order.paymentMethod.name,
    payment_method: order.paymentMethod.code,
    payment_code: paymentCode(order),
    payment_code_display: codeGroups(paymentCode(order)).join(' '),
    payment_url: urls.payment(order),
    qr_string: order.payment.qrString ?? undefined,
    qr_image_url: order.payment.qrString === null ? undefined : urls.qrImage(order),
    expired_time: unixSeconds(order.expiresAt),
    payment_status: order.paymentStatus,
    buy_status: order.buyStatus,
    serial_number: order.serialNumber ?? undefined,
    failure_reason: order.failureReason ?? undefined,
    refund_amount: order.refundAmount ?? undefined,
    created_at: localTime(order.createdAt).iso,
    pricing: order.pricing,
  });

const listedOrderView = (order: StoredOrder, localTime: ViewTools['localTime']): ListedOrder =>
  withoutUndefined<ListedOrder>({
    order_id: order.orderId,
    games: order.game.title,
    product: order.product.title,
    code_product: order.product.code,
    id_games: order.target.id,
    server_games: order.target.server,
    quantity: order.pricing.quantity,
    total_price: order.pricing.total_price,
    payment_name: order.paymentMethod.name,
    expired_time: unixSeconds(order.expiresAt),
    payment_status: order.paymentStatus,
    buy_status: order.buyStatus,
    serial_number: order.serialNumber ?? undefined,
    created_at: localTime(order.createdAt).iso,
  });

/** The body of `GET /orders`. */
export const orderListView = (
  { orders, next }: OrderPage,
  localTime: ViewTools['localTime'],
): ListOrdersResponse => ({
  success: true,
  data: orders.map((order) => listedOrderView(order, localTime)),
  next_cursor: next,
});

const invoiceGameView = ({ game }: StoredOrder, urls: Urls): InvoiceGame => ({
  id: game.id,
  image: urls.gameImage(game),
  banner: urls.gameBanner(game),
  title: game.title,
  developers: game.developers,
  brand: game.brand,
  slug: game.slug,
  description: game.description,
  status: game.status,
  populer: game.populer,
});

const invoiceProductView = ({ game, product }: StoredOrder, urls: Urls): InvoiceProduct => ({
  id: product.id,
  code: product.code,
  title: product.title,
  brand: game.brand,
  logo: urls.gameImage(game),
  game_image: urls.gameImage(game),
  image: urls.productImage(product),
});

/** The body of `GET /invoice/{order_id}`. */
export const invoiceView = (order: InvoicedOrder, tools: ViewTools): GetInvoiceResponse => ({
  success: true,
  order: invoiceOrderView(order, tools),
  game: invoiceGameView(order, tools.urls),
  product: invoiceProductView(order, tools.urls),
});

/**
 * Renders an order for the store: as the 201 response, which is stored with it and replayed byte for byte, and as its invoice, which
 * events have (source: ours). Without the language of a request, as for an order that is finished after a crash, the response is in the
 * service's own.
 */
export function createRenderers(
  settings: AppSettings,
): Pick<EngineDependencies, 'renderResponse' | 'renderInvoice'> {
  const { timezone } = resolveDialect(settings);
  const tools = { urls: createUrls(settings.publicUrl), localTime: zonedTime(timezone) };
  return {
    renderResponse: (order, locale = settings.locale) => ({
      body: JSON.stringify(orderCreatedView(order, locale, tools)),
      locale,
    }),
    renderInvoice(order) {
      const { success: _success, ...invoice } = invoiceView(order, tools);
      return invoice;
    },
  };
}

/** The body of `GET /invoice/{order_id}/payment-status`. */
export const paymentStatusView = (order: OrderProgress): GetPaymentStatusResponse => ({
  success: true,
  data: {
    order_id: order.orderId,
    payment_status: order.paymentStatus,
    buy_status: order.buyStatus,
    expired_time: unixSeconds(order.expiresAt),
  },
});
