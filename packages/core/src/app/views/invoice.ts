import type {
  GetInvoiceResponse,
  InvoiceGame,
  InvoiceOrder,
  InvoiceProduct,
  ListedOrder,
  ListOrdersResponse,
} from '../../contract/index.ts';
import type { EngineDependencies, InvoicedOrder, OrderPage } from '../../engine/index.ts';
import type { StoredOrder } from '../../store/index.ts';
import type { AppSettings } from '../settings.ts';
import type { Urls } from '../urls.ts';
import {
  codeGroups,
  createResponseRenderer,
  paymentCode,
  unixSeconds,
  type ViewTools,
  viewTools,
} from './order.ts';

/** A type that requires every field, so that none is forgotten. An optional field without a value is undefined. */
type Complete<Type> = {
  [Field in keyof Type]-?: Record<never, never> extends Pick<Type, Field>
    ? Type[Field] | undefined
    : Type[Field];
};

const withoutUndefined = <Type extends object>(fields: Complete<Type>): Type =>
  // Safe: only optional fields can be undefined, and they are removed.
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

/** Renders the body of `GET /orders`. */
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

/** Renders the body of `GET /invoice/{order_id}`. */
export const invoiceView = (order: InvoicedOrder, tools: ViewTools): GetInvoiceResponse => ({
  success: true,
  order: invoiceOrderView(order, tools),
  game: invoiceGameView(order, tools.urls),
  product: invoiceProductView(order, tools.urls),
});

/** Creates functions that render an order for the store: as the 201 response, and as the invoice in events (source: ours). */
export function createRenderers(
  settings: AppSettings,
): Pick<EngineDependencies, 'renderResponse' | 'renderInvoice'> {
  const tools = viewTools(settings);
  return {
    renderResponse: createResponseRenderer(settings),
    renderInvoice(order) {
      const { success: _success, ...invoice } = invoiceView(order, tools);
      return invoice;
    },
  };
}
