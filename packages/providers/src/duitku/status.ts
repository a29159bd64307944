import type { PaymentReport } from '@topup-kit/core/gateway';

/** Returns the meaning of a status. Duitku never reports when a payment was made. */
export function reportOf({ statusCode, amount }: { statusCode: string; amount: number }): PaymentReport {
  switch (statusCode) {
    case '00':
      return { status: 'paid', amount, at: null };
    case '01':
      return { status: 'open' };
    case '02':
      return { status: 'expired', amount, at: null };
    default:
      return { status: 'failed', amount, at: null };
  }
}
