import type { CatalogPaymentMethod, Payment } from '../store/index.ts';

/** What a gateway is asked to take a payment for. */
export interface PaymentRequest {
  orderId: string;
  /** Integer in the smallest unit. */
  amount: number;
  method: Pick<CatalogPaymentMethod, 'code' | 'group'>;
}

/**
 * Takes payments. `createPayment` does no I/O: the order and its payment are then stored in one commit.
 * What it throws becomes a 500 `PAYMENT_FAILED`, and nothing is stored.
 */
export interface PaymentGateway {
  name: string;
  /** Whether it only plays at taking payments; a live server refuses to start with it. */
  sandbox: boolean;
  createPayment(request: PaymentRequest): Payment;
}
