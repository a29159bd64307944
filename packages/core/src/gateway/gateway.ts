import type { CatalogPaymentMethod, Payment } from '../store/index.ts';

/** The payment that a gateway is asked to create. */
export interface PaymentRequest {
  orderId: string;
  /** Integer in the smallest unit. */
  amount: number;
  method: Pick<CatalogPaymentMethod, 'code' | 'group'>;
  /** When the payment expires, in unix milliseconds of world time. */
  expiresAt: number;
}

interface GatewayInfo {
  name: string;
  /** Whether its payments are simulated; a live server refuses to start with it. */
  sandbox: boolean;
}

/**
 * A gateway without I/O: the order and its payment are stored in one commit. An error that it throws becomes a 500
 * `PAYMENT_FAILED`, and nothing is stored.
 */
export interface LocalGateway extends GatewayInfo {
  kind: 'local';
  createPayment(request: PaymentRequest): Payment;
}

/**
 * A gateway behind a network: the order is reserved before the request and visible after the response. When the
 * response is lost, `findPayment` returns the payment of the order, if there is one.
 */
export interface RemoteGateway extends GatewayInfo {
  kind: 'remote';
  createPayment(request: PaymentRequest, signal: AbortSignal): Promise<Payment>;
  /** Finds the payment of an order; null when the gateway has none and will not create one later. */
  findPayment(orderId: string, signal: AbortSignal): Promise<Payment | null>;
}

export type PaymentGateway = LocalGateway | RemoteGateway;
