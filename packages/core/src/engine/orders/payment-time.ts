import type { PaymentGroup } from '../../contract/index.ts';

const minute = 60_000;

/** How long an order waits for its payment, in milliseconds (open points: limits). */
export const defaultPaymentTime: Record<PaymentGroup, number> = {
  QRIS: 30 * minute,
  'E-Wallet': 60 * minute,
  'Virtual Account': 24 * 60 * minute,
  Retail: 24 * 60 * minute,
  'Bank Transfer': 24 * 60 * minute,
};
