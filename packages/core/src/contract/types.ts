import type { PaymentGroup } from './payment-kinds.ts';

/** A game category (interface 2.2). */
export interface Category {
  id: number;
  title: string;
}

/** A game as `populerGames` lists it (interface 2.1, without `category`). */
export interface Game {
  id: number;
  /** Absolute URL of the game's image. */
  image: string;
  /** Absolute URL of the banner image. */
  banner: string;
  title: string;
  developers: string;
  brand: string;
  category_id: number;
  /** The unique text key of the game; the value for the `game` field of an order. */
  slug: string;
  description: string;
  /** Whether the game can be ordered. */
  status: boolean;
  /** Whether the game is popular (the interface spells the name this way). */
  populer: boolean;
  sort: number;
}

/** A game as `games` lists it (interface 2.1, with `category`). */
export interface GameWithCategory extends Game {
  category: Category;
}

/** A product that can be bought for a game (source: live). Money is in the smallest unit: integer rupiah. */
export interface Product {
  id: number;
  game_id: number;
  code: string;
  title: string;
  brand: string;
  logo: string;
  image: string;
  selling_price: number;
  /** The unit price while `is_promo` is true. */
  promo_price: number | null;
  is_promo: boolean;
  category: Category | null;
  status: boolean;
}

/** A field that identifies the account to top up (source: ours). */
export interface TargetField {
  name: 'id' | 'server';
  label: string;
  required: boolean;
  /** The accepted values; absent when any text is accepted. */
  options?: string[];
}

/** A game with its products and the fields of an order (source: ours). */
export interface GameDetail extends GameWithCategory {
  products: Product[];
  fields: TargetField[];
}

/** A payment method (source: live). Money is in the smallest unit: integer rupiah. */
export interface PaymentMethod {
  id: number;
  code: string;
  name: string;
  /** Absolute URL of the method's logo. */
  images: string;
  group: PaymentGroup;
  /** `direct`: the shop shows a code to pay to; `redirect`: the customer pays on another page. */
  type: 'direct' | 'redirect';
  /** Flat fee. */
  fee: number;
  /** Percentage fee on top of the flat one, in per cent: 0.7 is 0.7 %. */
  fee_percent: number;
  minimum_amount: number;
  maximum_amount: number;
  status: boolean;
}

/** Response of `GET /games` (interface 4.1). */
export interface ListGamesResponse {
  success: true;
  games: GameWithCategory[];
  populerGames: Game[];
}

/** Response of `GET /games/{slug}` (source of the path: live; of the body: ours). */
export interface GetGameResponse {
  success: true;
  data: GameDetail;
}

/** Response of `GET /order/{slug}`: the data of a checkout page (source: live). */
export interface GetCheckoutResponse {
  success: true;
  game: GameDetail;
  paymentMethods: PaymentMethod[];
}

export const paymentStatuses = ['UNPAID', 'PAID', 'EXPIRED', 'FAILED', 'REFUND'] as const;
/** State of the payment. `UNPAID` comes from the interface, the others from the documentation of the live services. */
export type PaymentStatus = (typeof paymentStatuses)[number];

export const buyStatuses = ['Pending', 'Proses', 'Sukses', 'Gagal', 'Batal'] as const;
/** State of the delivery. `Pending` comes from the interface, the others from the documentation of the live services. */
export type BuyStatus = (typeof buyStatuses)[number];

/** Body of `POST /order` (interface 4.2). */
export interface CreateOrderRequest {
  /** User ID or game ID of the account to top up. */
  id: string;
  /** Server ID, when the game needs one. */
  server?: string;
  /** Slug of an active game. */
  game: string;
  product_id: number;
  payment_method_id: number;
  email?: string;
  /** The customer's phone number; the interface document names the field `messenger_number`. */
  whatsapp: string;
  nickname?: string;
  promo_code?: string;
  /** 1 to 100; 1 when left out. */
  quantity?: number;
}

/** Price breakdown (interface 2.4). All amounts are in the smallest unit: integer rupiah. */
export interface Pricing {
  quantity: number;
  has_promo: boolean;
  /** The applied promo code; null without one. The interface types it as a string and shows only orders with one. */
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

/** `INV-<timestamp digits>-<8 uppercase letters>` (interface 2.3). */
export const orderIdPattern: RegExp = /^INV-\d+-[A-Z]{8}$/;

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

/** Response of `POST /order` (interface 4.2). */
export interface CreateOrderResponse {
  success: true;
  message: string;
  /** Same as `data.order_id`. */
  orderId: string;
  data: Order;
}

/** The order in an invoice (source: live). Money is in the smallest unit: integer rupiah. */
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
  /** Unit price before the promo (despite its name). */
  discount_price: number;
  promo_discount: number;
  fee: number;
  total_price: number;
  payment_name: string;
  /** The payment method's code. */
  payment_method: string;
  payment_code: string;
  /** The payment code for display, in groups of four digits. */
  payment_code_display: string;
  payment_url: string;
  /** Content of the QR code; present for QR methods. */
  qr_string?: string;
  /** Absolute URL of the QR image; present for QR methods. */
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

/** The game in an invoice (source: live). */
export type InvoiceGame = Omit<Game, 'category_id' | 'sort'>;

/** The product in an invoice (source: live). */
export interface InvoiceProduct {
  id: number;
  code: string;
  title: string;
  brand: string;
  logo: string;
  game_image: string;
  image: string;
}

/** Response of `GET /invoice/{order_id}` (source: live). */
export interface GetInvoiceResponse {
  success: true;
  order: InvoiceOrder;
  game: InvoiceGame;
  product: InvoiceProduct;
}

/** The state of an order, for polling (source: live). */
export interface PaymentState {
  order_id: string;
  payment_status: PaymentStatus;
  buy_status: BuyStatus;
  /** Payment expiry in unix seconds. */
  expired_time: number;
}

/** Response of `GET /invoice/{order_id}/payment-status` (source: live). */
export interface GetPaymentStatusResponse {
  success: true;
  data: PaymentState;
}

/** Body of `POST /promo/validate` (source: live). */
export interface ValidatePromoRequest {
  code: string;
  game_slug: string;
  product_id: number;
  payment_method_id: number;
  /** The customer's phone number, for promo codes with a limit per customer. */
  whatsapp?: string;
}

/** The price of one unit with a promo code. Money is in the smallest unit: integer rupiah. */
export interface PromoValidation {
  promo: {
    code: string;
    discount_type: 'PERCENT' | 'FIXED';
    /** Percentage for `PERCENT`, amount for `FIXED`. */
    discount_value: number;
  };
  pricing: {
    base_price: number;
    discount: number;
    final_price: number;
  };
}

/** Response of `POST /promo/validate` (source: live). */
export interface ValidatePromoResponse {
  success: true;
  message: string;
  data: PromoValidation;
}

/** Authentication failure (interface 7.1); also the shape of 429 (source: laravel). */
export interface MessageBody {
  message: string;
}

/** Business-rule failure (interface 7.1). */
export interface BusinessBody {
  success: false;
  message: string;
}

/** Field validation failure (interface 7.1): messages by field, in the order of the fields. */
export interface ValidationBody {
  message: string;
  errors: Record<string, string[]>;
}

/** General error envelope (interface 7.1). */
export interface EnvelopeBody {
  success: false;
  message: string;
  error_code: string;
  errors: Record<string, string[]>;
}

export type ErrorBody = MessageBody | BusinessBody | ValidationBody | EnvelopeBody;

/** The success response of each operation. */
export interface Responses {
  listGames: ListGamesResponse;
  getGame: GetGameResponse;
  getCheckout: GetCheckoutResponse;
  createOrder: CreateOrderResponse;
  getInvoice: GetInvoiceResponse;
  getPaymentStatus: GetPaymentStatusResponse;
  validatePromo: ValidatePromoResponse;
}
