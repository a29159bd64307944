export const paymentStatuses = ['UNPAID', 'PAID', 'EXPIRED', 'FAILED', 'REFUND'] as const;
/** State of the payment; the interface names `UNPAID`, the others are live's. */
export type PaymentStatus = (typeof paymentStatuses)[number];

export const buyStatuses = ['Pending', 'Proses', 'Sukses', 'Gagal', 'Batal'] as const;
/** State of the delivery; the interface names `Pending`, the others are live's. */
export type BuyStatus = (typeof buyStatuses)[number];

/** Body of `POST /order` (interface 4.2). */
export interface OrderRequest {
  /** User ID or game ID of the account to top up. */
  id: string;
  /** Server ID, when the game needs one. */
  server?: string;
  /** Slug of an active game. */
  game: string;
  product_id: number;
  payment_method_id: number;
  email?: string;
  /** The orderer's phone number; the interface document calls the field `messenger_number`. */
  whatsapp: string;
  nickname?: string;
  promo_code?: string;
  /** 1 to 100; 1 when left out. */
  quantity?: number;
}

/** Price breakdown (interface 2.4). All amounts are integers in the smallest unit: integer rupiah. */
export interface Pricing {
  quantity: number;
  has_promo: boolean;
  /** The applied code; null without one (a listed departure: the interface shows only orders with one). */
  promo_code: string | null;
  unit_price_before_promo: number;
  unit_discount: number;
  unit_price_after_promo: number;
  subtotal_before_promo: number;
  promo_discount: number;
  subtotal_after_promo: number;
  payment_fee: number;
  unique_code: number;
  total_price: number;
}

/** A created order (interface 2.3). */
export interface Order {
  /** `INV-<timestamp digits>-<8 uppercase letters>`. */
  order_id: string;
  payment_status: PaymentStatus;
  buy_status: BuyStatus;
  payment_url: string;
  payment_code: string;
  payment_reference: string;
  qr_url: string | null;
  /** Payment expiry, ISO 8601 with the zone's offset. */
  expired_at: string;
  quantity: number;
  /** Equals `pricing.total_price`. */
  total_price: number;
  pricing: Pricing;
}

/** Answer of `POST /order` (interface 4.2). */
export interface OrderCreatedAnswer {
  success: true;
  message: string;
  /** Same as `data.order_id`. */
  orderId: string;
  data: Order;
}
