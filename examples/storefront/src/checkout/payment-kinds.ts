import type { PaymentGroup } from '@topup-kit/mock';

/** The groups whose totals get a unique code, by which the bank transfer of an order is recognised. */
const withUniqueCode: Record<PaymentGroup, boolean> = {
  QRIS: false,
  'Virtual Account': false,
  Retail: false,
  'E-Wallet': false,
  'Bank Transfer': true,
};

/** False for a group that this shop doesn't know. */
export const hasUniqueCode = (group: string): boolean =>
  Object.entries(withUniqueCode).some(([known, has]) => known === group && has);
