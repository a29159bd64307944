import type { GatewayPayment, PaymentReport, UnusablePayment } from '@topup-kit/core/gateway';
import * as z from 'zod/mini';
import { textOrNull, whole } from '../readers.ts';

/** Statuses of a transaction. Among several transactions, the one whose status comes first counts. */
export const statuses = ['PAID', 'UNPAID', 'REFUND', 'EXPIRED', 'FAILED'] as const;

/** Schema of a time in unix seconds. */
export const moment = whole.check(z.positive());

export const transactionState = {
  status: z.enum(statuses),
  paid_at: z.nullish(moment),
  /** Part of the customer's payment that Tripay keeps, regardless of who pays it. An unreadable fee must not delay a payment. */
  total_fee: z.catch(z.optional(whole), undefined),
};

const meanings = { EXPIRED: 'expired', FAILED: 'failed' } as const;

/** Returns the meaning of a status. Only the time of a payment is known. The documentation has only full refunds. */
export function reportOf(state: {
  status: (typeof statuses)[number];
  amount: number;
  paidAt: number | null | undefined;
  fee: number | undefined;
}): PaymentReport {
  const { status, amount, paidAt, fee } = state;
  if (status === 'UNPAID') return { status: 'open' };
  const kept = fee === undefined ? {} : { fee };
  if (status === 'REFUND') return { status: 'refunded', amount, paid: amount, at: null, ...kept };
  if (status !== 'PAID') return { status: meanings[status], amount, at: null };
  return { status: 'paid', amount, at: paidAt ? paidAt * 1000 : null, ...kept };
}

const payable = z.object({
  amount: whole,
  pay_code: textOrNull,
  pay_url: textOrNull,
  checkout_url: textOrNull,
  qr_string: textOrNull,
});

/** Returns the data for paying a transaction of `total`, or the reason why the transaction is unusable. */
export function paymentOf(
  transaction: { reference: string },
  total: number,
): GatewayPayment | UnusablePayment {
  const { success, data, error } = payable.safeParse(transaction);
  const without = (unusable: string) => ({ reference: transaction.reference, unusable });
  if (!success) return without(`${error.issues[0]?.path.join('.')} of a Tripay transaction is invalid.`);
  if (data.amount !== total)
    return without(
      `Tripay asks the customer for ${data.amount} instead of ${total}. Set the merchant to pay the fees in its dashboard, because the order already includes them.`,
    );
  const { pay_code: code, pay_url: page, checkout_url: checkout, qr_string: qrString } = data;
  if (code === null && page === null && checkout === null && qrString === null)
    return without('Tripay returned no payment code, QR code or payment page.');
  return {
    reference: transaction.reference,
    code: code ?? qrString ?? page,
    url: page ?? checkout,
    qrString,
  };
}
