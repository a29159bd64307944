// Generated from the schemas of the contract: do not edit, run `npx -y pnpm@12 generate`.

/** A game as `populerGames` lists it. Source: interface 2.1. */
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
  /** Whether the game can be ordered; a closed game (false) can only be read. */
  status: boolean;
  /** Whether the game is popular (the interface spells the name this way). */
  populer: boolean;
  /** Position in the list: the lowest comes first. */
  sort: number;
}

/** A game category. Source: interface 2.2. */
export interface Category {
  /** Id of the category; `category_id` of its games. */
  id: number;
  /** Display name, such as `MOBA`. */
  title: string;
}

/** A game as `games` lists it. Source: interface 2.1. */
export interface GameWithCategory extends Game {
  /** The game's category. */
  category: Category;
}

/** Response of `GET /games`. Source: interface 4.1. */
export interface ListGamesResponse {
  /** Always true; errors have another body. */
  success: true;
  /** All games that are not hidden, including closed games. */
  games: GameWithCategory[];
  /** The popular games, without `category` (the interface spells the name this way). */
  populerGames: Game[];
}

/** A product that can be bought for a game. Money is in the smallest unit: integer rupiah. Source: live. */
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
  /** The unit price while `is_promo` is true; null otherwise. */
  promo_price: number | null;
  /** Whether the product is on promotion: then one unit costs `promo_price`. */
  is_promo: boolean;
  /** The product's category within its game; null without one. */
  category: Category | null;
  /** Whether the product can be ordered. */
  status: boolean;
}

/** A field of an order that identifies the account to top up: `id` (user ID or game ID) or `server`. */
export const targetFieldNames = ['id', 'server'] as const;
/** A field of an order that identifies the account to top up: `id` (user ID or game ID) or `server`. */
export type TargetFieldName = 'id' | 'server';

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
/** Kind of a payment method: `QRIS` (Indonesia's QR code), `Virtual Account`, `Retail` (cash at a shop), `E-Wallet` or `Bank Transfer`. */
export type PaymentGroup = 'QRIS' | 'Virtual Account' | 'Retail' | 'E-Wallet' | 'Bank Transfer';

/** How a customer pays: `direct` with a code that the shop shows, `redirect` on another page. */
export const paymentMethodTypes = ['direct', 'redirect'] as const;
/** How a customer pays: `direct` with a code that the shop shows, `redirect` on another page. */
export type PaymentMethodType = 'direct' | 'redirect';

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
/** State of the payment: `UNPAID` (waiting for the payment), `PAID`, `EXPIRED` (not paid in time), `FAILED` (the payment gateway reports a failure), `REFUND` (paid back to the customer). `UNPAID` comes from the interface, the others from the documentation of the live services. */
export type PaymentStatus = 'UNPAID' | 'PAID' | 'EXPIRED' | 'FAILED' | 'REFUND';

/** State of the delivery, in Indonesian as on the wire: `Pending` (waiting for the payment), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed: at least one unit was not delivered), `Batal` (cancelled: the order was not paid). `Pending` comes from the interface, the others from the documentation of the live services. */
export const buyStatuses = ['Pending', 'Proses', 'Sukses', 'Gagal', 'Batal'] as const;
/** State of the delivery, in Indonesian as on the wire: `Pending` (waiting for the payment), `Proses` (paid, in delivery), `Sukses` (delivered), `Gagal` (the delivery failed: at least one unit was not delivered), `Batal` (cancelled: the order was not paid). `Pending` comes from the interface, the others from the documentation of the live services. */
export type BuyStatus = 'Pending' | 'Proses' | 'Sukses' | 'Gagal' | 'Batal';

/** Price breakdown. All amounts are in the smallest unit: integer rupiah. Source: interface 2.4. */
export interface Pricing {
  /** Number of units. */
  quantity: number;
  /** Whether a promo code lowers the price. */
  has_promo: boolean;
  /** The applied promo code; null without one. The interface types it as a string and shows only orders with one. */
  promo_code: string | null;
  /** Price of one unit before the promo code. */
  unit_price_before_promo: number;
  /** Discount on one unit. */
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
  /** 1 to 999 for a bank transfer, so that its amount identifies the order; 0 otherwise. */
  unique_code: number;
  /** The amount to pay: `subtotal_after_promo + payment_fee + unique_code`. */
  total_price: number;
}

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
/** Why a delivery failed, as far as the customer may know (ours): `account_not_found` (no such account to top up: check the id and the server), `region_mismatch` (the product is for accounts of another region), `product_unavailable` (closed, or out of stock at the supplier), `supplier_failed` (anything else). */
export type FailureReason =
  | 'account_not_found'
  | 'region_mismatch'
  | 'product_unavailable'
  | 'supplier_failed';

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

/** The game in an invoice. Source: live. */
export interface InvoiceGame {
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
  /** The unique text key of the game; the value for the `game` field of an order. */
  slug: string;
  /** Description for customers. */
  description: string;
  /** Whether the game can be ordered; a closed game (false) can only be read. */
  status: boolean;
  /** Whether the game is popular (the interface spells the name this way). */
  populer: boolean;
}

/** The product in an invoice. Source: live. */
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
/** How a promo code lowers the price of a unit: `PERCENT` (by a percentage) or `FIXED` (by an amount). */
export type DiscountType = 'PERCENT' | 'FIXED';

/** A promo code. Source: live. */
export interface Promo {
  /** The code as it is stored. */
  code: string;
  /** How the code lowers the price. */
  discount_type: DiscountType;
  /** Per cent with `PERCENT`, integer rupiah with `FIXED`. */
  discount_value: number;
}

/** The price of one unit with a promo code, in integer rupiah. Source: live. */
export interface PromoPricing {
  /** Price before the promo code. */
  base_price: number;
  /** Discount of the promo code. */
  discount: number;
  /** Price after the promo code. */
  final_price: number;
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
/** Result of the check of an account to top up (ours): `found`, `not_found` (certainly no such account), `unsupported` (this game's players can't be looked up), `unavailable` (the lookup failed: try again later, or order without it). */
export type AccountStatus = 'found' | 'not_found' | 'unsupported' | 'unavailable';

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

/** Body of `POST /order`: the game, product, target account and payment method of an order. Text is trimmed. Empty text, null and a missing field are equivalent. Unknown fields are ignored. Source: interface 4.2. */
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
  /** The customer's phone number for the messaging app: `08...`, `628...` and `+628...` are one number, and one of another country begins with `+`. */
  whatsapp: string;
  /** The player's name in the game, for display. */
  nickname?: string | undefined;
  /** Promo code to apply. */
  promo_code?: string | undefined;
  /** Number of units; 1 when left out. */
  quantity?: number | undefined;
  /** The http(s) URL to which the customer returns after paying (ours). `{order_id}` in it becomes the id of the order. A live service allows only the origins of its operator. */
  return_url?: string | undefined;
}

/** Body of `POST /promo/validate`: the promo code, and the game, product and payment method to use it for. Fields are read in the same way as those of an order. Source: live. */
export interface ValidatePromoRequest {
  /** Promo code to try. */
  code: string;
  /** Slug of an active game. */
  game_slug: string;
  /** Id of a product of the game. */
  product_id: number;
  /** Id of a payment method. */
  payment_method_id: number;
  /** The customer's phone number, for promo codes with a limit per customer. */
  whatsapp?: string | undefined;
}

/** Body of `POST /account/check`: a game and an account in it. Fields are read in the same way as those of an order. Source: ours. */
export interface CheckAccountRequest {
  /** Slug of a game. */
  game: string;
  /** User ID or game ID of the account. */
  id: string;
  /** Server ID, when the game needs one. */
  server?: string | undefined;
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

/** Query of `GET /events`. Source: ours. */
export interface ListEventsQuery {
  /** The `next_cursor` of the previous response. Without it, the response has no events, only a cursor for the events that follow. */
  after?: string | undefined;
  /** Maximum number of events per page: 1 to 100, default 50. Events of the same change are never split, so a page may have a few more. */
  limit?: number | undefined;
}

/** A problem that needs an operator, or that is solved. Source: ours. */
export interface AlertEventData {
  /** Kind of the alert, such as `low-balance`; each has a section in the runbook. */
  kind: string;
  /** The problem, as a sentence for operators. */
  sentence: string;
  /** Number of affected orders or other subjects, up to 1,000. */
  count: number;
  /** Ids of the first ten affected orders or other subjects. */
  names: string[];
}

/** A problem needs an operator, or is solved. Source: ours. */
export interface AlertEvent {
  /** Id of the event, the same each time that it is sent; the `webhook-id` of a webhook. If you have already handled an event with this id, ignore it. */
  id: string;
  /** What happened: `alert.raised` (a problem needs an operator), `alert.cleared` (the problem is solved). */
  type: 'alert.raised' | 'alert.cleared';
  /** When it happened: ISO 8601, in UTC. */
  timestamp: string;
  /** The order, alert or other subject of the event, as it was at that moment. */
  data: AlertEventData;
}

/** An edit of the catalogue. Source: ours. */
export interface CatalogEventData {
  /** The edit's number in the history of the catalogue. */
  number: number;
  /** The command of the edit, such as `set-price ML86`. */
  command: string;
  /** The operator's name; null if it is unknown. */
  by: string | null;
  /** Number of changed values. */
  changes: number;
  /** The slugs of changed games and codes of changed products, up to 100. */
  keys: string[];
}

/** The catalogue was edited. Source: ours. */
export interface CatalogChangedEvent {
  /** Id of the event, the same each time that it is sent; the `webhook-id` of a webhook. If you have already handled an event with this id, ignore it. */
  id: string;
  /** What happened: `catalog.changed` (an operator edited games, products, prices or promo codes). */
  type: 'catalog.changed';
  /** When it happened: ISO 8601, in UTC. */
  timestamp: string;
  /** The order, alert or other subject of the event, as it was at that moment. */
  data: CatalogEventData;
}

/** The shop's balance at a supplier. Source: ours. */
export interface BalanceEventData {
  /** Name of the supplier. */
  supplier: string;
  /** The balance, in the smallest unit: integer rupiah. */
  balance: number;
  /** The limit below which the alert is raised. */
  alert_below: number;
}

/** The balance at a supplier is low. Source: ours. */
export interface BalanceLowEvent {
  /** Id of the event, the same each time that it is sent; the `webhook-id` of a webhook. If you have already handled an event with this id, ignore it. */
  id: string;
  /** What happened: `balance.low` (the balance at a supplier fell below its limit). */
  type: 'balance.low';
  /** When it happened: ISO 8601, in UTC. */
  timestamp: string;
  /** The order, alert or other subject of the event, as it was at that moment. */
  data: BalanceEventData;
}

/** Data of a test. Source: ours. */
export interface TestEventData {
  /** Text for people. */
  message: string;
}

/** An operator sent a test event. Source: ours. */
export interface WebhookTestEvent {
  /** Id of the event, the same each time that it is sent; the `webhook-id` of a webhook. If you have already handled an event with this id, ignore it. */
  id: string;
  /** What happened: `webhook.test` (an operator sent a test). */
  type: 'webhook.test';
  /** When it happened: ISO 8601, in UTC. */
  timestamp: string;
  /** The order, alert or other subject of the event, as it was at that moment. */
  data: TestEventData;
}

/** What a webhook tells of; `type` says which event it is. Source: ours. */
export type TopupEvent = OrderEvent | AlertEvent | CatalogChangedEvent | BalanceLowEvent | WebhookTestEvent;

/** Authentication failure; also the shape of 429 (source: laravel). Source: interface 7.1. */
export interface MessageBody {
  /** Text for people, in the language of the service; never parse it. */
  message: string;
}

/** Business-rule failure. Source: interface 7.1. */
export interface BusinessBody {
  /** Always false. */
  success: false;
  /** Text for people, in the language of the service; never parse it. */
  message: string;
  /** The order of the `Idempotency-Key`; present with `IDEMPOTENCY_KEY_USED`. */
  orderId?: string;
}

/** Field validation failure: messages by field, in the order of the fields. Source: interface 7.1. */
export interface ValidationBody {
  /** Summary that names the first failed field and counts the further errors. */
  message: string;
  /** Messages by field, in the order of the fields. */
  errors: Record<string, string[]>;
}

/** General error envelope. Source: interface 7.1. */
export interface EnvelopeBody {
  /** Always false. */
  success: false;
  /** Text for people, in the language of the service; never parse it. */
  message: string;
  /** Error code, the same as in `X-Error-Code`. */
  error_code: string;
  /** Messages by field; empty when the error concerns no field. */
  errors: Record<string, string[]>;
}

/** The body of an error. */
export type ErrorBody = MessageBody | BusinessBody | ValidationBody | EnvelopeBody;

/** The success response of each operation. */
export interface Responses {
  listGames: ListGamesResponse;
  getGame: GetGameResponse;
  getCheckout: GetCheckoutResponse;
  createOrder: CreateOrderResponse;
  listOrders: ListOrdersResponse;
  getInvoice: GetInvoiceResponse;
  validatePromo: ValidatePromoResponse;
  checkAccount: CheckAccountResponse;
  listEvents: ListEventsResponse;
  getPaymentStatus: GetPaymentStatusResponse;
}
