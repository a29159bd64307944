import type { PaymentReport } from '@topup-kit/core/gateway';
import * as z from 'zod/mini';
import { text, whole } from '../readers.ts';

/** Statuses with the outcome that each of them means alone. */
const outcomes = {
  pending: null,
  authorize: null,
  capture: null,
  settlement: null,
  deny: 'failed',
  cancel: 'failed',
  failure: 'failed',
  expire: 'expired',
  refund: 'refunded',
  // After a partial refund, the shop keeps the rest.
  partial_refund: 'refunded',
} as const;

// Safe: these are the keys of a literal.
const statuses = Object.keys(outcomes) as (keyof typeof outcomes)[];

/** Parses a time in Jakarta (UTC+7), such as `2026-05-01 12:00:00`, to unix milliseconds. */
const jakartaTime = z.pipe(
  z.pipe(
    z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)),
    z.transform((text) => Date.parse(`${text.replace(' ', 'T')}+07:00`)),
  ),
  z.int(),
);

/** Fields of a payment in notifications and in the response to a status request. */
export const paymentState = {
  order_id: z.string().check(z.minLength(1)),
  transaction_id: z.string().check(z.minLength(1), z.maxLength(255)),
  status_code: text,
  gross_amount: whole,
  transaction_status: z.enum(statuses),
  fraud_status: z.nullish(z.string()),
  settlement_time: z.nullish(jakartaTime),
  /** Total that was refunded so far, which is the sum of `refunds`. */
  refund_amount: z.nullish(whole),
  refunds: z.nullish(z.array(z.object({ refund_amount: whole }))),
};

const state = z.object(paymentState);
type PaymentState = z.infer<typeof state>;

const info = z.object({ gross_amount_info: z.object({ original_amount: whole, gross_amount: whole }) });
const withInfo = z.union([
  z.object({ extra_info: info }),
  z.pipe(
    z.object({ metadata: z.object({ extra_info: info }) }),
    z.transform(({ metadata }) => metadata),
  ),
]);

/**
 * Returns the fee that Midtrans adds to the customer's amount with automatic fee imposition. The shop's amount is then in `extra_info`,
 * which the documentation shows at the top level, and which notifications contain in `metadata`.
 *
 * @returns null if the amount contains no such fee, or if the two amounts don't match.
 */
function imposedFee(sent: unknown, paid: number): number | null {
  const { success, data } = withInfo.safeParse(sent);
  if (!success) return null;
  const { original_amount: original, gross_amount: gross } = data.extra_info.gross_amount_info;
  return gross === paid && original < gross ? gross - original : null;
}

/** Returns the shop's amount of a payment that Midtrans describes. */
export const askedAmount = (sent: unknown, paid: number): number => paid - (imposedFee(sent, paid) ?? 0);

/** Returns a payment that Midtrans describes, without the additional fee for the customer. */
export function withoutImposedFee<State extends PaymentState>(sent: unknown, payment: State): State {
  const fee = imposedFee(sent, payment.gross_amount);
  if (fee === null) return payment;
  const asked = payment.gross_amount - fee;
  const refunded = refundedAmount(payment);
  // The shop never received the fee, so a refund doesn't include it.
  return {
    ...payment,
    gross_amount: asked,
    ...(refunded !== null && { refund_amount: Math.min(refunded, asked) }),
  };
}

/** Returns the amount refunded so far; null if the amount of a refund is unknown. */
function refundedAmount({
  transaction_status: status,
  gross_amount: paid,
  refund_amount: refunded,
  refunds,
}: PaymentState): number | null {
  if (refunded) return refunded;
  if (refunds?.length) return refunds.reduce((sum, { refund_amount: amount }) => sum + amount, 0);
  return status === 'refund' ? paid : null;
}

/**
 * Returns the meaning of a status. Money has arrived only if status, `status_code` and `fraud_status` agree. Null if the amount of a
 * partial refund is unknown.
 */
export function reportOf(payment: PaymentState): PaymentReport | null {
  const {
    transaction_status: status,
    status_code: code,
    fraud_status: fraud,
    settlement_time: settledAt,
    gross_amount: amount,
  } = payment;
  const outcome = outcomes[status];
  if (outcome === 'refunded') {
    const refunded = refundedAmount(payment);
    return refunded === null ? null : { status: outcome, amount: refunded, paid: amount, at: null };
  }
  if (outcome) return { status: outcome, amount, at: null };
  const arrived = status === 'settlement' || status === 'capture';
  const trusted = code === '200' && (fraud ?? 'accept') === 'accept';
  return arrived && trusted ? { status: 'paid', amount, at: settledAt ?? null } : { status: 'open' };
}
