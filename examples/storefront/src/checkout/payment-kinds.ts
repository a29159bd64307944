import type { PaymentGroup } from '@topup-kit/mock';

/** Groups whose totals get a unique code, which identifies the order of a bank transfer. */
const withUniqueCode: Record<PaymentGroup, boolean> = {
  QRIS: false,
  'Virtual Account': false,
  Retail: false,
  'E-Wallet': false,
  'Bank Transfer': true,
};

/** Tells whether a group gets a unique code; false for a group that this shop doesn't know. */
export const hasUniqueCode = (group: string): boolean =>
  Object.entries(withUniqueCode).some(([known, has]) => known === group && has);
