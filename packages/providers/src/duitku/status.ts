import type { PaymentReport } from '@topup-kit/core/gateway';
import * as z from 'zod/mini';

/** A whole amount in rupiah, also as a text, and with decimals that are zero. */
export const amount = z.union([
  z.int().check(z.nonnegative()),
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}(\.0{1,2})?$/)),
    z.transform((text) => Number.parseInt(text, 10)),
  ),
]);

export const reference = z.string().check(z.minLength(1), z.maxLength(255));

/** The status of a payment when Duitku is asked. */
export const statusCode = z.string().check(z.regex(/^\d\d$/));

/** What a status means. Duitku never says when a payment was made. */
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
