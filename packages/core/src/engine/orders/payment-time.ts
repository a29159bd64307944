import { type Dialect, kitDialect, type PaymentGroup } from '../../contract/index.ts';

const minute = 60_000;

/** How long an order waits for its payment in a dialect, in milliseconds. */
export const paymentTimeOf = ({
  expiryMinutes,
}: Pick<Dialect, 'expiryMinutes'>): Record<PaymentGroup, number> => ({
  QRIS: expiryMinutes.QRIS * minute,
  'E-Wallet': expiryMinutes['E-Wallet'] * minute,
  'Virtual Account': expiryMinutes['Virtual Account'] * minute,
  Retail: expiryMinutes.Retail * minute,
  'Bank Transfer': expiryMinutes['Bank Transfer'] * minute,
});

/** How long an order waits for its payment unless said otherwise, in milliseconds (open points: limits). */
export const defaultPaymentTime: Record<PaymentGroup, number> = paymentTimeOf(kitDialect);
