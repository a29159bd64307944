import type { Game } from './catalog.ts';
import type { BuyStatus, PaymentStatus, Pricing } from './order.ts';

/** The order as its invoice shows it (source: live). Money is in the smallest unit: integer rupiah. */
export interface InvoiceOrder {
  order_id: string;
  /** The game's title. */
  games: string;
  /** The product's title. */
  product: string;
  code_product: string;
  id_games: string;
  server_games: string | null;
  nickname: string | null;
  email: string | null;
  whatsapp: string;
  quantity: number;
  /** Unit price after the promo. */
  price: number;
  /** Unit price before the promo. */
  discount_price: number;
  promo_discount: number;
  fee: number;
  total_price: number;
  payment_name: string;
  /** The payment method's code. */
  payment_method: string;
  payment_code: string;
  /** The payment code grouped for people. */
  payment_code_display: string;
  payment_url: string;
  /** What the QR picture says; present for QR methods. */
  qr_string?: string;
  /** Absolute URL of the QR picture; present for QR methods. */
  qr_image_url?: string;
  /** Payment expiry in unix seconds. */
  expired_time: number;
  payment_status: PaymentStatus;
  buy_status: BuyStatus;
  /** The supplier's proof of delivery; present once delivered. */
  serial_number?: string;
  /** ISO 8601 with the zone's offset. */
  created_at: string;
  pricing: Pricing;
}

/** The game as an invoice shows it (source: live). */
export type InvoiceGame = Omit<Game, 'category_id' | 'sort'>;

/** The product as an invoice shows it (source: live). */
export interface InvoiceProduct {
  id: number;
  code: string;
  title: string;
  brand: string;
  logo: string;
  game_image: string;
  image: string;
}

/** Answer of `GET /invoice/{order_id}` (source: live). */
export interface InvoiceAnswer {
  success: true;
  order: InvoiceOrder;
  game: InvoiceGame;
  product: InvoiceProduct;
}

/** The light state of an order, made to be polled (source: live). */
export interface PaymentState {
  order_id: string;
  payment_status: PaymentStatus;
  buy_status: BuyStatus;
  /** Payment expiry in unix seconds. */
  expired_time: number;
}

/** Answer of `GET /invoice/{order_id}/payment-status` (source: live). */
export interface PaymentStatusAnswer {
  success: true;
  data: PaymentState;
}
