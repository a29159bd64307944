import type { CatalogPaymentMethod, Payment } from '../store/index.ts';

/** What a gateway is asked to take a payment for. */
export interface PaymentRequest {
  orderId: string;
  /** Integer in the smallest unit. */
  amount: number;
  method: Pick<CatalogPaymentMethod, 'code' | 'group'>;
  /** Until when it may be paid, in unix milliseconds of world time. */
  expiresAt: number;
}

interface AnyGateway {
  name: string;
  /** Whether it only plays at taking payments; a live server refuses to start with it. */
  sandbox: boolean;
}

/**
 * A gateway that makes payments up by itself: the order and its payment are stored in one commit. What it throws
 * becomes a 500 `PAYMENT_FAILED`, and nothing is stored.
 */
export interface LocalGateway extends AnyGateway {
  kind: 'local';
  createPayment(request: PaymentRequest): Payment;
}

/**
 * A gateway that is asked over a network: the order is reserved before it is asked and shown after it answered. When its
 * answer is lost, `findPayment` tells whether there is a payment for the order.
 */
export interface RemoteGateway extends AnyGateway {
  kind: 'remote';
  createPayment(request: PaymentRequest, signal: AbortSignal): Promise<Payment>;
  /** The payment of an order id; null when the gateway knows of none, and never will. */
  findPayment(orderId: string, signal: AbortSignal): Promise<Payment | null>;
}

export type PaymentGateway = LocalGateway | RemoteGateway;
