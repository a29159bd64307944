import type * as Wire from '@topup-kit/core/contract';

export type { CreateOrderRequest, ValidatePromoRequest } from '@topup-kit/core/contract';

/** State of the payment: `UNPAID` (interface 3), `PAID`, `EXPIRED`, `FAILED`, `REFUND` (observed on the live service). Newer services may send other strings. */
export type PaymentStatus = Open<Wire.PaymentStatus>;
/** State of the delivery: `Pending` (waiting; interface 3), `Proses` (in progress), `Sukses` (delivered), `Gagal` (failed), `Batal` (cancelled; all observed on the live service). Newer services may send other strings. */
export type BuyStatus = Open<Wire.BuyStatus>;

/** A game category (interface 2.2). */
export type Category = Open<Wire.Category>;
/** A game in the list `populerGames` (interface 2.1). */
export type Game = Open<Wire.Game>;
/** A game in the list `games` (interface 2.1). */
export type GameWithCategory = Open<Wire.GameWithCategory>;
/** A game with its products and the fields of an order's target account (defined by Topup Kit). */
export type GameDetail = Open<Wire.GameDetail>;
/** A field of the target account, such as a player id or a server (defined by Topup Kit). */
export type TargetField = Open<Wire.TargetField>;
/** A product of a game. Amounts are in integer rupiah. (Observed on the live service.) */
export type Product = Open<Wire.Product>;
/** A payment method. Amounts are in integer rupiah. (Observed on the live service.) */
export type PaymentMethod = Open<Wire.PaymentMethod>;
/** A created order. Amounts are in integer rupiah, `expired_at` is ISO 8601. (Interface 2.3.) */
export type Order = Open<Wire.Order>;
/** Price breakdown in integer rupiah (interface 2.4). */
export type Pricing = Open<Wire.Pricing>;
/** The order in an invoice. Amounts are in integer rupiah, `expired_time` is in unix seconds. (Observed on the live service.) */
export type InvoiceOrder = Open<Wire.InvoiceOrder>;
/** The game in an invoice. (Observed on the live service.) */
export type InvoiceGame = Open<Wire.InvoiceGame>;
/** The product in an invoice. (Observed on the live service.) */
export type InvoiceProduct = Open<Wire.InvoiceProduct>;
/** Payment and delivery state of an order, without its details. `expired_time` is in unix seconds. (Observed on the live service.) */
export type PaymentState = Open<Wire.PaymentState>;

/** Response of `games.list`: `{ success, games, populerGames }` (interface 4.1). */
export type ListGamesResponse = Open<Wire.ListGamesResponse>;
/** Response of `games.get`: `{ success, data }` (defined by Topup Kit). */
export type GetGameResponse = Open<Wire.GetGameResponse>;
/** Response of `checkout.get`: `{ success, game, paymentMethods }` (observed on the live service). */
export type GetCheckoutResponse = Open<Wire.GetCheckoutResponse>;
/** Response of `orders.create`: `{ success, message, orderId, data }` (interface 4.2). */
export type CreateOrderResponse = Open<Wire.CreateOrderResponse>;
/** The result of `orders.create`: the response, and the idempotency key of the request as a non-enumerable property. */
export type CreatedOrder = CreateOrderResponse & {
  /** The `Idempotency-Key` of the request. It is not part of the response body. */
  readonly idempotencyKey: string;
};
/** Response of `invoices.get`: `{ success, order, game, product }` (observed on the live service). */
export type GetInvoiceResponse = Open<Wire.GetInvoiceResponse>;
/** Response of `invoices.paymentStatus`: `{ success, data }` (observed on the live service). */
export type GetPaymentStatusResponse = Open<Wire.GetPaymentStatusResponse>;
/** The price of one unit with a promo code, in integer rupiah. (Observed on the live service.) */
export type PromoValidation = Open<Wire.PromoValidation>;
/** Response of `promos.validate`: `{ success, message, data }` (observed on the live service). */
export type ValidatePromoResponse = Open<Wire.ValidatePromoResponse>;

/** A response type for forward compatibility: its string unions also accept other strings, which newer services may send. */
export type Open<Type> = Type extends string
  ? string extends Type
    ? Type
    : Type | (string & {})
  : Type extends object
    ? { [Key in keyof Type]: Open<Type[Key]> }
    : Type;
