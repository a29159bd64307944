import type { PaymentGroup } from './payment-kinds.ts';

/** A game category (interface 2.2). */
export interface Category {
  /** Id of the category; `category_id` of its games. */
  id: number;
  /** Display name, such as `MOBA`. */
  title: string;
}

/** A game as `populerGames` lists it (interface 2.1, without `category`). */
export interface Game {
  /** Id of the game. */
  id: number;
  /** Absolute URL of the game's image. */
  image: string;
  /** Absolute URL of the banner image. */
  banner: string;
  /** Display name. */
  title: string;
  /** Name of the developer. */
  developers: string;
  /** Brand or short label. */
  brand: string;
  /** Id of the game's category. */
  category_id: number;
  /** The unique text key of the game; the value for the `game` field of an order. */
  slug: string;
  /** Description for customers. */
  description: string;
  /** Whether the game can be ordered. */
  status: boolean;
  /** Whether the game is popular (the interface spells the name this way). */
  populer: boolean;
  /** Position in the list: the lowest comes first. */
  sort: number;
}

/** A game as `games` lists it (interface 2.1, with `category`). */
export interface GameWithCategory extends Game {
  /** The game's category. */
  category: Category;
}

/** A product that can be bought for a game (source: live). Money is in the smallest unit: integer rupiah. */
export interface Product {
  /** Id of the product; the value for the `product_id` field of an order. */
  id: number;
  /** Id of the only game that the product is for. */
  game_id: number;
  /** The shop's code of the product, such as `ML86`. */
  code: string;
  /** Display name, such as `86 Diamond`. */
  title: string;
  /** Brand or short label. */
  brand: string;
  /** Absolute URL of the brand's logo. */
  logo: string;
  /** Absolute URL of the product's image. */
  image: string;
  /** Price of one unit without a promotion, in integer rupiah. */
  selling_price: number;
  /** The unit price while `is_promo` is true. */
  promo_price: number | null;
  /** Whether the product is on promotion: then one unit costs `promo_price`. */
  is_promo: boolean;
  /** The product's category within its game; null without one. */
  category: Category | null;
  /** Whether the product can be ordered. */
  status: boolean;
}

/** The fields of an order that can identify the account to top up: `id` (user ID or game ID) and `server`. */
export const targetFieldNames = ['id', 'server'] as const;
/** A field of an order that identifies the account to top up: `id` (user ID or game ID) or `server`. */
export type TargetFieldName = (typeof targetFieldNames)[number];

/** A field that identifies the account to top up (source: ours). */
export interface TargetField {
  /** The field of the order that takes the value. */
  name: TargetFieldName;
  /** Label for the customer, such as `User ID`. */
  label: string;
  /** Whether an order without the field is rejected. */
  required: boolean;
  /** The accepted values; absent when any text is accepted. */
  options?: string[];
}

/** A game with its products and the fields of an order (source: ours). */
export interface GameDetail extends GameWithCategory {
  /** The products of the game. */
  products: Product[];
  /** The fields that identify the account to top up, in the order to ask for them. */
  fields: TargetField[];
}

/** How a customer pays: `direct` with a code that the shop shows, `redirect` on another page. */
export const paymentMethodTypes = ['direct', 'redirect'] as const;
/** How a customer pays: `direct` with a code that the shop shows, `redirect` on another page. */
export type PaymentMethodType = (typeof paymentMethodTypes)[number];

/** A payment method (source: live). Money is in the smallest unit: integer rupiah. */
export interface PaymentMethod {
  /** Id of the method; the value for the `payment_method_id` field of an order. */
  id: number;
  /** The shop's code of the method, such as `BRIVA`. */
  code: string;
  /** Display name. */
  name: string;
  /** Absolute URL of the method's logo. */
  images: string;
  /** The kind of payment, for a heading. */
  group: PaymentGroup;
  /** How the customer pays. */
  type: PaymentMethodType;
  /** Flat fee, in integer rupiah. */
  fee: number;
  /** Percentage fee on top of the flat one, in per cent: 0.7 is 0.7 %. */
  fee_percent: number;
  /** Smallest `total_price` that can be paid, in integer rupiah. */
  minimum_amount: number;
  /** Largest `total_price` that can be paid, in integer rupiah. */
  maximum_amount: number;
  /** Whether the method can be used. */
  status: boolean;
}

/** Response of `GET /games` (interface 4.1). */
export interface ListGamesResponse {
  /** Always true; errors have another body. */
  success: true;
  /** All games that are not hidden, also closed ones. */
  games: GameWithCategory[];
  /** The popular games (the interface spells the name this way). */
  populerGames: Game[];
}

/** Response of `GET /games/{slug}` (source of the path: live; of the body: ours). */
export interface GetGameResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The game. */
  data: GameDetail;
}

/** Response of `GET /order/{slug}`: the data of a checkout page (source: live). */
export interface GetCheckoutResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The game. */
  game: GameDetail;
  /** All payment methods, also those that are out of order. */
  paymentMethods: PaymentMethod[];
}

/**
 * The states of a payment: `UNPAID` (waiting for the payment), `PAID`, `EXPIRED` (not paid in time), `FAILED` (the payment
 * gateway reports a failure), `REFUND` (paid back to the customer). `UNPAID` comes from the interface, the others from
 * the documentation of the live services.
 */
export const paymentStatuses = ['UNPAID', 'PAID', 'EXPIRED', 'FAILED', 'REFUND'] as const;
/**
 * State of the payment: `UNPAID` (waiting for the payment), `PAID`, `EXPIRED` (not paid in time), `FAILED` (the payment
 * gateway reports a failure), `REFUND` (paid back to the customer). `UNPAID` comes from the interface, the others from
 * the documentation of the live services.
 */
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * The states of a delivery, in Indonesian as on the wire: `Pending` (waiting for the payment), `Proses` (paid, in
 * delivery), `Sukses` (delivered), `Gagal` (the delivery failed: at least one unit was not delivered), `Batal` (cancelled:
 * the order was not paid). `Pending` comes from the interface, the others from the documentation of the live services.
 */
export const buyStatuses = ['Pending', 'Proses', 'Sukses', 'Gagal', 'Batal'] as const;
/**
 * State of the delivery, in Indonesian as on the wire: `Pending` (waiting for the payment), `Proses` (paid, in
 * delivery), `Sukses` (delivered), `Gagal` (the delivery failed: at least one unit was not delivered), `Batal` (cancelled:
 * the order was not paid). `Pending` comes from the interface, the others from the documentation of the live services.
 */
export type BuyStatus = (typeof buyStatuses)[number];

/** Body of `POST /order` (interface 4.2). */
export interface CreateOrderRequest {
  /** User ID or game ID of the account to top up. */
  id: string;
  /** Server ID, when the game needs one. */
  server?: string | undefined;
  /** Slug of an active game. */
  game: string;
  /** Id of a product of the game. */
  product_id: number;
  /** Id of a payment method. */
  payment_method_id: number;
  /** The customer's e-mail address. */
  email?: string | undefined;
  /** The customer's phone number; the interface document names the field `messenger_number`. */
  whatsapp: string;
  /** The player's name in the game, for display. */
  nickname?: string | undefined;
  /** Promo code to apply. */
  promo_code?: string | undefined;
  /** 1 to 100; 1 when left out. */
  quantity?: number | undefined;
  /** Where the customer gets back to the shop after paying (source: ours): an http(s) URL, in which `{order_id}` becomes the id of the order. Live services allow only the origins of their operator. */
  return_url?: string | undefined;
}

/** Price breakdown (interface 2.4). All amounts are in the smallest unit: integer rupiah. */
export interface Pricing {
  /** Number of units. */
  quantity: number;
  /** Whether a promo code lowers the price. */
  has_promo: boolean;
  /** The applied promo code; null without one. The interface types it as a string and shows only orders with one. */
  promo_code: string | null;
  /** Price of one unit before the promo code. */
  unit_price_before_promo: number;
  /** What the promo code takes off one unit. */
  unit_discount: number;
  /** `unit_price_before_promo - unit_discount`. */
  unit_price_after_promo: number;
  /** `unit_price_before_promo * quantity`. */
  subtotal_before_promo: number;
  /** `unit_discount * quantity`. */
  promo_discount: number;
  /** `subtotal_before_promo - promo_discount`. */
  subtotal_after_promo: number;
  /** Fee of the payment method, which the customer pays. */
  payment_fee: number;
  /** Small amount that makes the total unique, so that a bank transfer can be assigned to its order; else 0. */
  unique_code: number;
  /** The amount to pay: `subtotal_after_promo + payment_fee + unique_code`. */
  total_price: number;
}

/** `INV-<timestamp digits>-<8 uppercase letters>` (interface 2.3). */
export const orderIdPattern: RegExp = /^INV-\d+-[A-Z]{8}$/;

/** A created order (interface 2.3). */
export interface Order {
  /** `INV-<timestamp digits>-<8 uppercase letters>`. */
  order_id: string;
  /** State of the payment; `UNPAID` in a new order. */
  payment_status: PaymentStatus;
  /** State of the delivery; `Pending` in a new order. Later `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed) or `Batal` (cancelled, never paid). */
  buy_status: BuyStatus;
  /** Absolute URL of the payment page. */
  payment_url: string;
  /** What the customer pays to or enters: content of a QR code, virtual account number, shop code, URL or account number. */
  payment_code: string;
  /** The payment's id at the payment gateway. */
  payment_reference: string;
  /** Absolute URL of the QR code's image; null for methods without one. */
  qr_url: string | null;
  /** Payment expiry, ISO 8601 with the zone's offset. */
  expired_at: string;
  /** Number of units. */
  quantity: number;
  /** Equals `pricing.total_price`. */
  total_price: number;
  /** Price breakdown. */
  pricing: Pricing;
}

/** Response of `POST /order` (interface 4.2). */
export interface CreateOrderResponse {
  /** Always true; errors have another body. */
  success: true;
  /** Text for the customer, in the service's language. */
  message: string;
  /** Same as `data.order_id`. */
  orderId: string;
  /** The order. */
  data: Order;
}

/** The order in an invoice (source: live). Money is in the smallest unit: integer rupiah. */
export interface InvoiceOrder {
  /** `INV-<timestamp digits>-<8 uppercase letters>`. */
  order_id: string;
  /** The game's title. */
  games: string;
  /** The product's title. */
  product: string;
  /** The product's code. */
  code_product: string;
  /** User ID or game ID of the account to top up. */
  id_games: string;
  /** Server ID of the account; null without one. */
  server_games: string | null;
  /** The player's name in the game; null when the order has none. */
  nickname: string | null;
  /** The customer's e-mail address; null when the order has none. */
  email: string | null;
  /** The customer's phone number. */
  whatsapp: string;
  /** Number of units. */
  quantity: number;
  /** Unit price after the promo. */
  price: number;
  /** Unit price before the promo (despite its name). */
  discount_price: number;
  /** What the promo code takes off all units. */
  promo_discount: number;
  /** Fee of the payment method. */
  fee: number;
  /** The amount to pay. */
  total_price: number;
  /** Display name of the payment method. */
  payment_name: string;
  /** The payment method's code. */
  payment_method: string;
  /** What the customer pays to or enters, as in the order. */
  payment_code: string;
  /** The payment code for display, in groups of four digits. */
  payment_code_display: string;
  /** Absolute URL of the payment page. */
  payment_url: string;
  /** Content of the QR code; present for QR methods. */
  qr_string?: string;
  /** Absolute URL of the QR image; present for QR methods. */
  qr_image_url?: string;
  /** Payment expiry in unix seconds. */
  expired_time: number;
  /** State of the payment. */
  payment_status: PaymentStatus;
  /** State of the delivery: `Pending` (unpaid), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed), `Batal` (cancelled, never paid). */
  buy_status: BuyStatus;
  /** The supplier's proof of delivery; present once delivered. */
  serial_number?: string;
  /** What goes back to the customer; present with `REFUND` (ours). */
  refund_amount?: number;
  /** ISO 8601 with the zone's offset. */
  created_at: string;
  /** Price breakdown. */
  pricing: Pricing;
}

/** The game in an invoice (source: live). */
export interface InvoiceGame extends Omit<Game, 'category_id' | 'sort'> {}

/** The product in an invoice (source: live). */
export interface InvoiceProduct {
  /** Id of the product. */
  id: number;
  /** The shop's code of the product. */
  code: string;
  /** Display name. */
  title: string;
  /** Brand or short label. */
  brand: string;
  /** Absolute URL of the brand's logo. */
  logo: string;
  /** Absolute URL of the game's image. */
  game_image: string;
  /** Absolute URL of the product's image. */
  image: string;
}

/** An order in a list (source: ours). Money is in the smallest unit: integer rupiah. */
export type ListedOrder = Pick<
  InvoiceOrder,
  | 'order_id'
  | 'games'
  | 'product'
  | 'code_product'
  | 'id_games'
  | 'server_games'
  | 'quantity'
  | 'total_price'
  | 'payment_name'
  | 'expired_time'
  | 'payment_status'
  | 'buy_status'
  | 'serial_number'
  | 'created_at'
>;

/** Query of `GET /orders` (source: ours). A filter that is left out matches every order. */
export interface ListOrdersQuery {
  /** How many orders a page has at most: 1 to 100; 20 when left out. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before; the newest orders when left out. */
  cursor?: string | undefined;
  /** Only orders with this state of the payment. */
  payment_status?: PaymentStatus | undefined;
  /** Only orders with this state of the delivery. */
  buy_status?: BuyStatus | undefined;
  /** Only orders that were created at or after this moment, in unix seconds. */
  created_from?: number | undefined;
  /** Only orders that were created before this moment, in unix seconds. */
  created_before?: number | undefined;
  /** Only the order that was placed with this key, which the service knows for 24 hours. */
  idempotency_key?: string | undefined;
}

/** Response of `GET /orders` (source: ours). */
export interface ListOrdersResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The orders of the page, newest first. */
  data: ListedOrder[];
  /** The `cursor` of the next page; null on the last one. */
  next_cursor: string | null;
}

/** Response of `GET /invoice/{order_id}` (source: live). */
export interface GetInvoiceResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The order with all details. */
  order: InvoiceOrder;
  /** The game of the order. */
  game: InvoiceGame;
  /** The product of the order. */
  product: InvoiceProduct;
}

/** The state of an order, for polling (source: live). */
export interface PaymentState {
  /** `INV-<timestamp digits>-<8 uppercase letters>`. */
  order_id: string;
  /** State of the payment. */
  payment_status: PaymentStatus;
  /** State of the delivery: `Pending` (unpaid), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed), `Batal` (cancelled, never paid). */
  buy_status: BuyStatus;
  /** Payment expiry in unix seconds. */
  expired_time: number;
}

/** Response of `GET /invoice/{order_id}/payment-status` (source: live). */
export interface GetPaymentStatusResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The state of the order. */
  data: PaymentState;
}

/** Body of `POST /promo/validate` (source: live). */
export interface ValidatePromoRequest {
  /** The promo code. */
  code: string;
  /** Slug of the game. */
  game_slug: string;
  /** Id of a product of the game. */
  product_id: number;
  /** Id of a payment method. */
  payment_method_id: number;
  /** The customer's phone number, for promo codes with a limit per customer. */
  whatsapp?: string | undefined;
}

/** How a promo code lowers the price of a unit: `PERCENT` (by a percentage) or `FIXED` (by an amount). */
export const discountTypes = ['PERCENT', 'FIXED'] as const;
/** How a promo code lowers the price of a unit: `PERCENT` (by a percentage) or `FIXED` (by an amount). */
export type DiscountType = (typeof discountTypes)[number];

/** A promo code (source: live). */
export interface Promo {
  /** The code as it is stored. */
  code: string;
  /** How the code lowers the price. */
  discount_type: DiscountType;
  /** Per cent with `PERCENT`, integer rupiah with `FIXED`. */
  discount_value: number;
}

/** The price of one unit with a promo code, in integer rupiah (source: live). */
export interface PromoPricing {
  /** Price before the promo code. */
  base_price: number;
  /** What the promo code takes off. */
  discount: number;
  /** Price after the promo code. */
  final_price: number;
}

/** A valid promo code, and the price of one unit with it (source: live). */
export interface PromoValidation {
  /** The promo code. */
  promo: Promo;
  /** The price of one unit. */
  pricing: PromoPricing;
}

/** Response of `POST /promo/validate` (source: live). */
export interface ValidatePromoResponse {
  /** Always true; errors have another body. */
  success: true;
  /** Text for the customer, in the service's language. */
  message: string;
  /** The promo code and the price with it. */
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
  listOrders: ListOrdersResponse;
  getInvoice: GetInvoiceResponse;
  getPaymentStatus: GetPaymentStatusResponse;
  validatePromo: ValidatePromoResponse;
}
