import type { CallbackReceiver } from '../callback/index.ts';
import type { CatalogPaymentMethod } from '../store/index.ts';

/** A line of a payment. All lines of a payment add up to its amount. */
export interface PaymentItem {
  /** The product's code; null for fees. */
  sku: string | null;
  name: string;
  /** Price of one unit: integer in the smallest unit. */
  price: number;
  quantity: number;
}

/** A payment to create at a gateway. */
export interface PaymentRequest {
  orderId: string;
  /** Integer in the smallest unit. */
  amount: number;
  method: Pick<CatalogPaymentMethod, 'code' | 'group' | 'name'>;
  /** Expiry of the payment, in unix milliseconds of world time. */
  expiresAt: number;
  customer: {
    /** Phone number as the customer typed it. */
    phone: string;
    email: string | null;
    /** The name of the player's account. */
    name: string | null;
  };
  /** The lines of the payment: the product, then the fee and the unique code, if any. */
  items: PaymentItem[];
  /** Absolute http or https URL at which the customer returns to the shop; left out if the order has none. */
  returnUrl?: string;
}

/**
 * A payment that a gateway created. Fields that the gateway doesn't provide are null or left out, but the customer must be able to pay:
 * QRIS and wallets need a `qrString` or `url`, and other methods need a `code` or `url`. Otherwise, return an {@link UnusablePayment}.
 */
export interface GatewayPayment {
  /** The gateway's reference; unique, at most 255 characters. */
  reference: string;
  /** The code to pay to, such as a virtual account number. */
  code?: string | null;
  /** Absolute http or https URL of the payment page. */
  url?: string | null;
  /** The text of the QR code. */
  qrString?: string | null;
}

/**
 * A payment that exists at the gateway but that the customer can't pay, because its amount differs from the order's, or there is no way to
 * pay it. The order becomes FAILED and keeps the reference, so that no money is lost.
 */
export interface UnusablePayment {
  /** The gateway's reference; unique, at most 255 characters. */
  reference: string;
  /** The reason and the next steps, for the log. It must contain no secrets. */
  unusable: string;
}

/**
 * The result if the gateway rejected the request, so that no payment exists or will exist. The order is removed immediately. If this is not
 * certain, throw an error instead; the engine then calls `findPayment`.
 */
export interface PaymentRejection {
  /** The reason, for the log. It must contain no secrets. */
  rejected: string;
}

/** A request to find the payment for an order, because the response to `createPayment` was lost or unreadable. */
export interface FindPaymentRequest {
  orderId: string;
  /** The order's amount: integer in the smallest unit. */
  amount: number;
  /** Time since the call of `createPayment`, in milliseconds. Its request may still be in flight. */
  ageMs: number;
}

/** `absent`: the gateway has no such payment, and no request in flight will create one. */
export type FindPaymentResult =
  | { state: 'found'; payment: GatewayPayment | UnusablePayment }
  | { state: 'absent' };

/** A payment to check. */
export interface CheckPaymentRequest {
  orderId: string;
  /** The gateway's reference. */
  reference: string;
  /** The order's amount: integer in the smallest unit. */
  amount: number;
}

/** The outcome of a payment. */
export interface PaymentOutcome {
  status: 'paid' | 'failed' | 'expired' | 'refunded';
  /** The amount that was or must be paid. For `refunded`, the total paid back so far, perhaps only a part. Integer in the smallest unit. */
  amount: number;
  /** For `refunded`, the amount that was paid, if the gateway reports it. */
  paid?: number | undefined;
  /** For `paid` and `refunded`, the fee that the gateway deducts from the payment, if it reports one. Integer in the smallest unit. */
  fee?: number | undefined;
  /**
   * Time at which it was paid, failed, expired or was refunded, in unix milliseconds of world time. If the gateway doesn't report it, it is
   * null, and the time of the report counts. It distinguishes two payments with the same reference.
   */
  at: number | null;
}

/** A gateway's report of a payment: it can still be paid, or it has an outcome. */
export type PaymentReport = { status: 'open' } | PaymentOutcome;

/** A payment in the list of a gateway. */
export interface ListedPayment {
  /** The gateway's reference. */
  reference: string;
  /** The order of the payment, if the gateway names it. */
  orderId: string | null;
  report: PaymentReport;
}

/** A payment in a gateway's callback. */
export interface PaymentCallback {
  /** The gateway's reference. */
  reference: string;
  /** The order of the payment, if the callback names it. */
  orderId: string | null;
  report: PaymentReport;
  /** True if `checkPayment` must confirm the callback before it has an effect. */
  confirm: boolean;
}

export type CheckPayment = (payment: CheckPaymentRequest, signal: AbortSignal) => Promise<PaymentReport>;

/** The minimum and maximum time to pay, in milliseconds. A value that is left out means no limit. */
export interface ExpiryLimits {
  min?: number;
  max?: number;
}

interface GatewayInfo {
  /** The gateway's name, which is stored with each order. If it changes, open payments are no longer checked. */
  name: string;
  /** True if its payments are simulated; a live server refuses to start with it. */
  sandbox: boolean;
  /** Returns the limits on the time to pay with a method. Orders stay within them. If left out, there are no limits. */
  expiryLimits?(method: PaymentRequest['method']): ExpiryLimits;
  /** Tells whether the gateway offers a method; other methods are shown as closed. If left out, it offers all. */
  supports?(method: PaymentRequest['method']): boolean;
}

/** A gateway without I/O: order and payment are stored in one commit. If it throws, the response is a 500 `PAYMENT_FAILED`. */
export interface LocalGateway extends GatewayInfo {
  kind: 'local';
  createPayment(request: PaymentRequest): GatewayPayment;
}

/**
 * A gateway on a network. The order is reserved before the request and visible after the response. If the response is lost or unreadable,
 * the engine calls `findPayment` until it has a result.
 */
export interface RemoteGateway extends GatewayInfo {
  kind: 'remote';
  /** Creates a payment. It must not retry: a failed request may have created the payment. */
  createPayment(
    request: PaymentRequest,
    signal: AbortSignal,
  ): Promise<GatewayPayment | UnusablePayment | PaymentRejection>;
  /**
   * Finds an order's payment: first when `createPayment` has failed, then every 30 seconds. Throws if the gateway can't tell, for example
   * because it is unreachable, or because a request in flight may still create a payment.
   */
  findPayment(request: FindPaymentRequest, signal: AbortSignal): Promise<FindPaymentResult>;
  /**
   * Reads a payment's state. Open payments are checked when the server starts and then at growing intervals, because callbacks get lost. If
   * left out, payments are reported only through `handlePaymentEvent`.
   */
  checkPayment?: CheckPayment;
  /** Minimum time between two checks of a payment, in milliseconds. */
  checkIntervalMs?: number;
  /**
   * Lists all payments created since a time in unix milliseconds of world time. An operator who has restored a backup uses it to find
   * payments for orders that the backup lacks. If left out, the operator must name these payments.
   */
  listPayments?(since: number, signal: AbortSignal): Promise<ListedPayment[]>;
  /**
   * Sends a cheap request that only works with the right keys, when the server starts and every ten minutes. A rejection raises an alert
   * with its message.
   */
  checkAccess?(signal: AbortSignal): Promise<void>;
  /** Receives `POST /callback/{name}`. If left out, the route doesn't exist. */
  callbacks?: CallbackReceiver<PaymentCallback>;
}

export type PaymentGateway = LocalGateway | RemoteGateway;
