// Generated from the schemas of the contract: do not edit, run `npx -y pnpm@12 generate`.

import type {
  AlertEvent,
  BalanceLowEvent,
  CatalogChangedEvent,
  GameWithCategory,
  InvoiceGame,
  InvoiceProduct,
  Pricing,
  Product,
  PromoPricing,
  WebhookTestEvent,
} from '@topup-kit/core/contract';

export type {
  AlertEvent,
  BalanceLowEvent,
  CatalogChangedEvent,
  Category,
  CheckAccountRequest,
  CreateOrderRequest,
  Game,
  GameWithCategory,
  InvoiceGame,
  InvoiceProduct,
  ListEventsQuery,
  ListGamesResponse,
  Pricing,
  Product,
  PromoPricing,
  ValidatePromoRequest,
  WebhookTestEvent,
} from '@topup-kit/core/contract';

/** A field of an order that identifies the account to top up: `id` (user ID or game ID) or `server`. */
export const targetFieldNames = ['id', 'server'] as const;
/** A field of an order that identifies the account to top up: `id` (user ID or game ID) or `server`. Newer services may send other strings. */
export type TargetFieldName = 'id' | 'server' | (string & {});

/** A field that identifies the account to top up. Source: ours. */
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

/** A game with its products and the fields of an order. Source: ours. */
export interface GameDetail extends GameWithCategory {
  /** The products of the game. */
  products: Product[];
  /** The fields that identify the account to top up, in the order to ask for them. */
  fields: TargetField[];
}

/** Response of `GET /games/{slug}`. Source: ours. */
export interface GetGameResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The game. */
  data: GameDetail;
}

/** Kind of a payment method: `QRIS` (Indonesia's QR code), `Virtual Account`, `Retail` (cash at a shop), `E-Wallet` or `Bank Transfer`. */
export const paymentGroups = ['QRIS', 'Virtual Account', 'Retail', 'E-Wallet', 'Bank Transfer'] as const;
/** Kind of a payment method: `QRIS` (Indonesia's QR code), `Virtual Account`, `Retail` (cash at a shop), `E-Wallet` or `Bank Transfer`. Newer services may send other strings. */
export type PaymentGroup =
  | 'QRIS'
  | 'Virtual Account'
  | 'Retail'
  | 'E-Wallet'
  | 'Bank Transfer'
  | (string & {});

/** How a customer pays: `direct` with a code that the shop shows, `redirect` on another page. */
export const paymentMethodTypes = ['direct', 'redirect'] as const;
/** How a customer pays: `direct` with a code that the shop shows, `redirect` on another page. Newer services may send other strings. */
export type PaymentMethodType = 'direct' | 'redirect' | (string & {});

/** A payment method. Money is in the smallest unit: integer rupiah. Source: live. */
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

/** Response of `GET /order/{slug}`: the data of a checkout page. Source: live. */
export interface GetCheckoutResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The game. */
  game: GameDetail;
  /** All payment methods, including closed ones. */
  paymentMethods: PaymentMethod[];
}

/** State of the payment: `UNPAID` (waiting for the payment), `PAID`, `EXPIRED` (not paid in time), `FAILED` (the payment gateway reports a failure), `REFUND` (paid back to the customer). `UNPAID` comes from the interface, the others from the documentation of the live services. */
export const paymentStatuses = ['UNPAID', 'PAID', 'EXPIRED', 'FAILED', 'REFUND'] as const;
/** State of the payment: `UNPAID` (waiting for the payment), `PAID`, `EXPIRED` (not paid in time), `FAILED` (the payment gateway reports a failure), `REFUND` (paid back to the customer). `UNPAID` comes from the interface, the others from the documentation of the live services. Newer services may send other strings. */
export type PaymentStatus = 'UNPAID' | 'PAID' | 'EXPIRED' | 'FAILED' | 'REFUND' | (string & {});

/** State of the delivery, in Indonesian as on the wire: `Pending` (waiting for the payment), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed: at least one unit was not delivered), `Batal` (cancelled: the order was not paid). `Pending` comes from the interface, the others from the documentation of the live services. */
export const buyStatuses = ['Pending', 'Proses', 'Sukses', 'Gagal', 'Batal'] as const;
/** State of the delivery, in Indonesian as on the wire: `Pending` (waiting for the payment), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed: at least one unit was not delivered), `Batal` (cancelled: the order was not paid). `Pending` comes from the interface, the others from the documentation of the live services. Newer services may send other strings. */
export type BuyStatus = 'Pending' | 'Proses' | 'Sukses' | 'Gagal' | 'Batal' | (string & {});

/** A created order. Source: interface 2.3. */
export interface Order {
  /** `INV-<timestamp digits>-<8 uppercase letters>`. */
  order_id: string;
  /** State of the payment; `UNPAID` in a new order. */
  payment_status: PaymentStatus;
  /** State of the delivery; `Pending` in a new order. Later `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed) or `Batal` (cancelled, never paid). */
  buy_status: BuyStatus;
  /** Absolute URL of the payment page. */
  payment_url: string;
  /** The payment code: content of a QR code, virtual account number, shop code, URL or account number. */
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

/** Response of `POST /order`. Source: interface 4.2. */
export interface CreateOrderResponse {
  /** Always true; errors have another body. */
  success: true;
  /** Text for people, in the language of the service; never parse it. */
  message: string;
  /** Same as `data.order_id`; use it to get the invoice and the payment status. */
  orderId: string;
  /** The order. */
  data: Order;
}

/** An order in a list. Money is in the smallest unit: integer rupiah. Source: ours. */
export interface ListedOrder {
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
  /** Number of units. */
  quantity: number;
  /** The amount to pay. */
  total_price: number;
  /** Display name of the payment method. */
  payment_name: string;
  /** Payment expiry in unix seconds. */
  expired_time: number;
  /** State of the payment. */
  payment_status: PaymentStatus;
  /** State of the delivery: `Pending` (unpaid), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed), `Batal` (cancelled, never paid). */
  buy_status: BuyStatus;
  /** The supplier's proof of delivery; present once delivered. */
  serial_number?: string;
  /** When the order was created: ISO 8601 with the zone's offset. */
  created_at: string;
}

/** Response of `GET /orders`: a page of the orders of the account, newest first. Source: ours. */
export interface ListOrdersResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The orders of the page, newest first. */
  data: ListedOrder[];
  /** The `cursor` of the next page; null on the last one. */
  next_cursor: string | null;
}

/** Why a delivery failed, as far as the customer may know (ours): `account_not_found` (no such account to top up: check the id and the server), `region_mismatch` (the product is for accounts of another region), `product_unavailable` (closed, or out of stock at the supplier), `supplier_failed` (anything else). */
export const failureReasons = [
  'account_not_found',
  'region_mismatch',
  'product_unavailable',
  'supplier_failed',
] as const;
/** Why a delivery failed, as far as the customer may know (ours): `account_not_found` (no such account to top up: check the id and the server), `region_mismatch` (the product is for accounts of another region), `product_unavailable` (closed, or out of stock at the supplier), `supplier_failed` (anything else). Newer services may send other strings. */
export type FailureReason =
  | 'account_not_found'
  | 'region_mismatch'
  | 'product_unavailable'
  | 'supplier_failed'
  | (string & {});

/** The order in an invoice. Money is in the smallest unit: integer rupiah. Source: live. */
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
  /** Discount on all units. */
  promo_discount: number;
  /** Fee of the payment method. */
  fee: number;
  /** The amount to pay. */
  total_price: number;
  /** Display name of the payment method. */
  payment_name: string;
  /** The payment method's code. */
  payment_method: string;
  /** The payment code, as in the order. */
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
  /** Why the delivery failed (ours); present with `Gagal`, unless no reason was recorded. If items failed for different reasons, the first reason of the list. */
  failure_reason?: FailureReason;
  /** Refund to the customer, paid or still to be paid (ours); present with `REFUND`, unless no amount was recorded, and with `Sukses` when a part or all of the payment is refunded. */
  refund_amount?: number;
  /** When the order was created: ISO 8601 with the zone's offset. */
  created_at: string;
  /** Price breakdown. */
  pricing: Pricing;
}

/** Response of `GET /invoice/{order_id}`. Source: live. */
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

/** How a promo code lowers the price of a unit: `PERCENT` (by a percentage) or `FIXED` (by an amount). */
export const discountTypes = ['PERCENT', 'FIXED'] as const;
/** How a promo code lowers the price of a unit: `PERCENT` (by a percentage) or `FIXED` (by an amount). Newer services may send other strings. */
export type DiscountType = 'PERCENT' | 'FIXED' | (string & {});

/** A promo code. Source: live. */
export interface Promo {
  /** The code as it is stored. */
  code: string;
  /** How the code lowers the price. */
  discount_type: DiscountType;
  /** Per cent with `PERCENT`, integer rupiah with `FIXED`. */
  discount_value: number;
}

/** A valid promo code, and the price of one unit with it. Source: live. */
export interface PromoValidation {
  /** The promo code. */
  promo: Promo;
  /** The price of one unit. */
  pricing: PromoPricing;
}

/** Response of `POST /promo/validate`. Source: live. */
export interface ValidatePromoResponse {
  /** Always true; errors have another body. */
  success: true;
  /** Text for people, in the language of the service; never parse it. */
  message: string;
  /** The promo code and the price with it. */
  data: PromoValidation;
}

/** Result of the check of an account to top up (ours): `found`, `not_found` (certainly no such account), `unsupported` (this game's players can't be looked up), `unavailable` (the lookup failed: try again later, or order without it). */
export const accountStatuses = ['found', 'not_found', 'unsupported', 'unavailable'] as const;
/** Result of the check of an account to top up (ours): `found`, `not_found` (certainly no such account), `unsupported` (this game's players can't be looked up), `unavailable` (the lookup failed: try again later, or order without it). Newer services may send other strings. */
export type AccountStatus = 'found' | 'not_found' | 'unsupported' | 'unavailable' | (string & {});

/** Result of the check of an account to top up. Source: ours. */
export interface AccountCheck {
  /** Slug of the game. */
  game: string;
  /** User ID or game ID of the account. */
  id: string;
  /** Server ID of the account; null without one. */
  server: string | null;
  /** Whether the account exists. Only `not_found` means that it does not. */
  status: AccountStatus;
  /** The player's name in the game; null unless the account was found and has one. */
  nickname: string | null;
}

/** Response of `POST /account/check`. Source: ours. */
export interface CheckAccountResponse {
  /** Always true; errors have another body. */
  success: true;
  /** Result of the check. */
  data: AccountCheck;
}

/** An order as the invoice shows it. Source: ours. */
export interface OrderEventData {
  /** The order with all details. */
  order: InvoiceOrder;
  /** The game of the order. */
  game: InvoiceGame;
  /** The product of the order. */
  product: InvoiceProduct;
}

/** An order was created or changed. Source: ours. */
export interface OrderEvent {
  /** Id of the event, the same each time that it is sent; the `webhook-id` of a webhook. If you have already handled an event with this id, ignore it. */
  id: string;
  /** What happened: `order.created` (an order was placed), `order.paid` (an order was paid), `order.processing` (the delivery of an order began, or began again), `order.delivered` (an order was delivered), `order.failed` (the payment or the delivery of an order failed), `order.expired` (an order was not paid in time), `order.refunded` (the customer gets all or part of the payment back). */
  type:
    | 'order.created'
    | 'order.paid'
    | 'order.processing'
    | 'order.delivered'
    | 'order.failed'
    | 'order.expired'
    | 'order.refunded';
  /** When it happened: ISO 8601, in UTC. */
  timestamp: string;
  /** The order, alert or other subject of the event, as it was at that moment. */
  data: OrderEventData;
}

/** Response of `GET /events`: the events of the account's orders, oldest first. Source: ours. */
export interface ListEventsResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The events after the cursor, oldest first. */
  data: OrderEvent[];
  /** The `after` of the next request, even if there are no more events yet. */
  next_cursor: string;
}

/** The state of an order, for polling. Source: live. */
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

/** Response of `GET /invoice/{order_id}/payment-status`. Source: live. */
export interface GetPaymentStatusResponse {
  /** Always true; errors have another body. */
  success: true;
  /** The state of the order. */
  data: PaymentState;
}

/** Query of `GET /orders`. A filter that is left out matches every order. Source: ours. */
export interface ListOrdersQuery {
  /** Maximum number of orders per page: 1 to 100, default 20. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. Without it, the list begins with the newest orders. */
  cursor?: string | undefined;
  /** Only orders with this state of the payment. */
  payment_status?: PaymentStatus | undefined;
  /** Only orders with this state of the delivery. */
  buy_status?: BuyStatus | undefined;
  /** Only orders that were created at or after this moment, in unix seconds. */
  created_from?: number | undefined;
  /** Only orders that were created before this moment, in unix seconds. */
  created_before?: number | undefined;
  /** Only the order that was placed with this key. */
  idempotency_key?: string;
}

/**
 * An event of a type that this version does not know. Its `type` is the one that the service sent: compare it as
 * `String(event.type)`. Respond to it as to others, so that the service does not send it again.
 */
export interface UnknownEvent {
  /** Id of the event. */
  id: string;
  /** What happened. */
  type: '(a newer type)';
  /** When it happened: ISO 8601, in UTC. */
  timestamp: string;
  /** What it happened to. */
  data: unknown;
}

/** What a webhook tells of; `type` says which event it is. Source: ours. */
export type TopupEvent =
  | OrderEvent
  | AlertEvent
  | CatalogChangedEvent
  | BalanceLowEvent
  | WebhookTestEvent
  | UnknownEvent;
