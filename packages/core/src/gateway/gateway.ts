import type { CallbackReceiver } from '../callback/index.ts';
import type { CatalogPaymentMethod } from '../store/index.ts';

/** A line of a payment. The lines of a payment add up to its amount. */
export interface PaymentItem {
  /** The product's code; null for fees. */
  sku: string | null;
  name: string;
  /** Integer in the smallest unit, of one piece. */
  price: number;
  quantity: number;
}

/** The payment that a gateway is asked to create. */
export interface PaymentRequest {
  orderId: string;
  /** Integer in the smallest unit. */
  amount: number;
  method: Pick<CatalogPaymentMethod, 'code' | 'group' | 'name'>;
  /** When the payment expires, in unix milliseconds of world time. */
  expiresAt: number;
  customer: {
    /** As the customer typed it. */
    phone: string;
    email: string | null;
    /** The name of the player's account. */
    name: string | null;
  };
  /** What is paid for: the product, and the fee and the unique code if there are any. */
  items: PaymentItem[];
  /** Absolute http or https URL at which the customer gets back to the shop; left out when the order names none. */
  returnUrl?: string;
}

/**
 * A payment that a gateway created. What the gateway doesn't give is null or left out, but a customer must be able to pay it:
 * QRIS and wallets need a `qrString` or `url`, other methods a `code` or `url`. Without, it is an {@link UnusablePayment}.
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
 * A payment that exists at the gateway but can't be shown to the customer: it asks for another amount than the order, or
 * has nothing to pay by. The order becomes FAILED with its reference, so that no money for it is lost.
 */
export interface UnusablePayment {
  /** The gateway's reference; unique, at most 255 characters. */
  reference: string;
  /** Why it can't be used and what to do, for the log. Without secrets. */
  unusable: string;
}

/**
 * The gateway rejected the request, so that certainly no payment exists and none will. The order is removed at once. When
 * that is not certain, throw: `findPayment` is then asked.
 */
export interface RejectedPayment {
  /** Why, for the log. Without secrets. */
  rejected: string;
}

/** The order whose payment is looked for, because the response to `createPayment` was lost or made no sense. */
export interface FindPaymentRequest {
  orderId: string;
  /** What the order asks for: integer in the smallest unit. */
  amount: number;
  /** How long ago `createPayment` was called, in milliseconds: its request may still be on its way. */
  ageMs: number;
}

/** `absent`: the gateway has no such payment, and no request that is still on its way will create one. */
export type FindPaymentResult =
  | { state: 'found'; payment: GatewayPayment | UnusablePayment }
  | { state: 'absent' };

/** A payment to ask about. */
export interface PaymentQuestion {
  orderId: string;
  /** The gateway's reference. */
  reference: string;
  /** What the order asks for: integer in the smallest unit. */
  amount: number;
}

/** What became of a payment. */
export interface PaymentOutcome {
  status: 'paid' | 'failed' | 'expired' | 'refunded';
  /**
   * What was paid, or was to be; of `refunded`, all that was paid back so far, which may be a part. Integer in the smallest
   * unit.
   */
  amount: number;
  /** Of `refunded`: what was paid, if the gateway tells. */
  paid?: number | undefined;
  /** Of `paid` and `refunded`: what the gateway keeps of what was paid for itself, if it tells. Integer in the smallest unit. */
  fee?: number | undefined;
  /**
   * When it was paid, failed, expired or was refunded, in unix milliseconds of world time; null when the gateway does
   * not tell, so that the moment of the report counts. Two payments with one reference differ by it.
   */
  at: number | null;
}

/** What a gateway says of a payment: it can still be paid, or it has an outcome. */
export type PaymentReport = { status: 'open' } | PaymentOutcome;

/** A payment in the list of a gateway. */
export interface ListedPayment {
  /** The gateway's reference. */
  reference: string;
  /** The order that the payment was created for, if the gateway names it. */
  orderId: string | null;
  report: PaymentReport;
}

/** What a callback of a gateway says. */
export interface PaymentCallback {
  /** The gateway's reference. */
  reference: string;
  /** The order that the payment was created for, if the callback names it. */
  orderId: string | null;
  report: PaymentReport;
  /** Whether the gateway is to be asked, with `checkPayment`, before anything of it counts. */
  confirm: boolean;
}

export type CheckPayment = (payment: PaymentQuestion, signal: AbortSignal) => Promise<PaymentReport>;

/** The shortest and the longest time that a payment may wait, in milliseconds; without one there is no limit. */
export interface ExpiryLimits {
  min?: number;
  max?: number;
}

interface GatewayInfo {
  /** Kept with each order: under another name, no open payment is asked about any more. */
  name: string;
  /** Whether its payments are simulated; a live server refuses to start with it. */
  sandbox: boolean;
  /** How long payments by a method may wait to be paid. Orders keep to it. Without it there are no limits. */
  expiryLimits?(method: PaymentRequest['method']): ExpiryLimits;
  /** Whether it takes payments by a method; other methods are shown as closed. Without it, it takes all. */
  supports?(method: PaymentRequest['method']): boolean;
}

/**
 * A gateway without I/O: the order and its payment are stored in one commit. An error that it throws becomes a 500
 * `PAYMENT_FAILED`, and nothing is stored.
 */
export interface LocalGateway extends GatewayInfo {
  kind: 'local';
  createPayment(request: PaymentRequest): GatewayPayment;
}

/**
 * A gateway behind a network: the order is reserved before the request and visible after the response. When the response
 * is lost, or makes no sense, `findPayment` is asked for the payment of the order, until it has a result.
 */
export interface RemoteGateway extends GatewayInfo {
  kind: 'remote';
  /** Creates a payment. Sends its request once: one that failed may have been carried out. */
  createPayment(
    request: PaymentRequest,
    signal: AbortSignal,
  ): Promise<GatewayPayment | UnusablePayment | RejectedPayment>;
  /**
   * Finds the payment of an order: first when `createPayment` has failed, then every half minute. Throws when the gateway
   * can't tell: it can't be reached, for example, or has no payment yet and a request may still create one.
   */
  findPayment(request: FindPaymentRequest, signal: AbortSignal): Promise<FindPaymentResult>;
  /**
   * Asks for the state of a payment. Open payments are asked about when the server starts and then with growing gaps,
   * because callbacks get lost. Without it, only `handlePaymentEvent` reports payments.
   */
  checkPayment?: CheckPayment;
  /** The least time between two questions about one payment, in milliseconds. */
  checkIntervalMs?: number;
  /**
   * Lists all payments that were created since a moment, in unix milliseconds of world time. It is called by an operator who has
   * restored a backup, to find what was paid for orders that the backup doesn't have. Without it, an operator has to name them.
   */
  listPayments?(since: number, signal: AbortSignal): Promise<ListedPayment[]>;
  /**
   * Sends a cheap request that only works with the right keys. It is sent when the server starts and every ten minutes;
   * a rejection is an alert for the operator, with its message.
   */
  checkAccess?(signal: AbortSignal): Promise<void>;
  /** Receives `POST /callback/{name}`. Without it, the route doesn't exist. */
  callbacks?: CallbackReceiver<PaymentCallback>;
}

export type PaymentGateway = LocalGateway | RemoteGateway;
