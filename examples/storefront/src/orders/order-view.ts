import type { InvoiceAnswer, Pricing } from '@topup-kit/sdk';
import type { PlacedOrder } from './order-book.ts';

/** An order as the payment and invoice screens show it, whichever source it came from. */
export interface OrderView {
  orderId: string;
  slug: string;
  game: string;
  product: string;
  productImage: string;
  account: string;
  method: string;
  /** What is paid to. */
  code: string;
  codeForPeople: string;
  qrUrl: string | null;
  paymentUrl: string;
  /** Unix milliseconds. */
  expiresAt: number;
  placedAt: number;
  serialNumber: string | undefined;
  pricing: Pricing;
}

export const accountText = (id: string, server: string | null | undefined): string =>
  server ? `${id} (${server})` : id;

const grouped = (code: string): string => (/^\d+$/.test(code) ? code.replace(/\d{4}(?=\d)/g, '$& ') : code);

/** All that a payment needs is in the answer to the order, so a service without invoices will do. */
export const viewOfPlaced = ({ order, ...placed }: PlacedOrder): OrderView => ({
  ...placed,
  orderId: order.order_id,
  code: order.payment_code,
  codeForPeople: grouped(order.payment_code),
  qrUrl: order.qr_url,
  paymentUrl: order.payment_url,
  expiresAt: Date.parse(order.expired_at),
  serialNumber: undefined,
  pricing: order.pricing,
});

export const viewOfInvoice = ({ order, game, product }: InvoiceAnswer): OrderView => ({
  orderId: order.order_id,
  slug: game.slug,
  game: order.games,
  product: order.product,
  productImage: product.image,
  account: accountText(order.id_games, order.server_games),
  method: order.payment_name,
  code: order.payment_code,
  codeForPeople: order.payment_code_display,
  qrUrl: order.qr_image_url ?? null,
  paymentUrl: order.payment_url,
  expiresAt: order.expired_time * 1_000,
  placedAt: Date.parse(order.created_at),
  serialNumber: order.serial_number,
  pricing: order.pricing,
});
