import type * as Wire from '@topup-kit/core/contract';

export type { OrderRequest, PromoValidationRequest } from '@topup-kit/core/contract';

/** State of the payment: `UNPAID` (interface 3), `PAID`, `EXPIRED`, `FAILED`, `REFUND` (live), or new. */
export type PaymentStatus = Open<Wire.PaymentStatus>;
/** State of the delivery: `Pending` (interface 3), `Proses`, `Sukses`, `Gagal`, `Batal` (live), or new. */
export type BuyStatus = Open<Wire.BuyStatus>;

/** A game category (interface 2.2). */
export type Category = Open<Wire.Category>;
/** A game as `populerGames` lists it (interface 2.1). */
export type Game = Open<Wire.Game>;
/** A game as `games` lists it (interface 2.1). */
export type GameWithCategory = Open<Wire.GameWithCategory>;
/** A game with its products and what an order's target needs (ours). */
export type GameDetail = Open<Wire.GameDetail>;
/** What an order's target needs for a game (ours). */
export type TargetField = Open<Wire.TargetField>;
/** Something to buy for a game; money is integer rupiah (live). */
export type Product = Open<Wire.Product>;
/** A way to pay; money is integer rupiah (live). */
export type PaymentMethod = Open<Wire.PaymentMethod>;
/** A created order; money is integer rupiah, `expired_at` ISO 8601 (interface 2.3). */
export type Order = Open<Wire.Order>;
/** Price breakdown in integer rupiah (interface 2.4). */
export type Pricing = Open<Wire.Pricing>;
/** The order as its invoice shows it; money is integer rupiah, `expired_time` unix seconds (live). */
export type InvoiceOrder = Open<Wire.InvoiceOrder>;
/** The game as an invoice shows it (live). */
export type InvoiceGame = Open<Wire.InvoiceGame>;
/** The product as an invoice shows it (live). */
export type InvoiceProduct = Open<Wire.InvoiceProduct>;
/** The light state of an order; `expired_time` is unix seconds (live). */
export type PaymentState = Open<Wire.PaymentState>;

/** Answer of `games.list`: `{ success, games, populerGames }` (interface 4.1). */
export type GameListAnswer = Open<Wire.GameListAnswer>;
/** Answer of `games.get`: `{ success, data }` (ours). */
export type GameAnswer = Open<Wire.GameAnswer>;
/** Answer of `checkout.get`: `{ success, game, paymentMethods }` (live). */
export type CheckoutAnswer = Open<Wire.CheckoutAnswer>;
/** Answer of `orders.create`: `{ success, message, orderId, data }` (interface 4.2). */
export type OrderCreatedAnswer = Open<Wire.OrderCreatedAnswer>;
/** What `orders.create` gives: its answer, and the key that was sent, which is not enumerable. */
export type CreatedOrder = OrderCreatedAnswer & {
  /** The `Idempotency-Key` of the request; ours, not on the wire. */
  readonly idempotencyKey: string;
};
/** Answer of `invoices.get`: `{ success, order, game, product }` (live). */
export type InvoiceAnswer = Open<Wire.InvoiceAnswer>;
/** Answer of `invoices.paymentStatus`: `{ success, data }` (live). */
export type PaymentStatusAnswer = Open<Wire.PaymentStatusAnswer>;
/** What a promo code does to the price of one unit; money is integer rupiah (live). */
export type PromoValidation = Open<Wire.PromoValidation>;
/** Answer of `promos.validate`: `{ success, message, data }` (live). */
export type PromoValidationAnswer = Open<Wire.PromoValidationAnswer>;

/** A wire type read forward-compatibly: its fixed strings may also be strings that nobody knows yet. */
export type Open<Type> = Type extends string
  ? string extends Type
    ? Type
    : Type | (string & {})
  : Type extends object
    ? { [Key in keyof Type]: Open<Type[Key]> }
    : Type;
