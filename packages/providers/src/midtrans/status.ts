import type { PaymentReport } from '@topup-kit/core/gateway';
import * as z from 'zod/mini';
import { text, whole } from '../readers.ts';

/** The statuses, with the outcome that each means on its own. */
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
  // A partial refund: the shop keeps the rest.
  partial_refund: 'refunded',
} as const;

// Safe: the keys of a literal.
const statuses = Object.keys(outcomes) as (keyof typeof outcomes)[];

/** A time such as `2026-05-01 12:00:00`, which is in Jakarta (UTC+7), in unix milliseconds. */
const jakartaTime = z.pipe(
  z.pipe(
    z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)),
    z.transform((text) => Date.parse(`${text.replace(' ', 'T')}+07:00`)),
  ),
  z.int(),
);

/** The fields of a payment in notifications and in the status route. */
export const paymentState = {
  order_id: z.string().check(z.minLength(1)),
  transaction_id: z.string().check(z.minLength(1), z.maxLength(255)),
  status_code: text,
  gross_amount: whole,
  transaction_status: z.enum(statuses),
  fraud_status: z.nullish(z.string()),
  settlement_time: z.nullish(jakartaTime),
  /** The total that was paid back so far, as the sum of `refunds`. */
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
 * With automatic fee imposition, Midtrans adds its fee to the customer's amount. The shop's amount is then in `extra_info`, which the
 * documentation shows at the top level, and notifications have in `metadata`.
 *
 * @returns null if the amount contains no such fee, or the two don't match.
 */
function imposedFee(sent: unknown, paid: number): number | null {
  const { success, data } = withInfo.safeParse(sent);
  if (!success) return null;
  const { original_amount: original, gross_amount: gross } = data.extra_info.gross_amount_info;
  return gross === paid && original < gross ? gross - original : null;
}

/** The shop's amount of a payment that Midtrans describes. */
export const askedAmount = (sent: unknown, paid: number): number => paid - (imposedFee(sent, paid) ?? 0);

/** A payment that Midtrans describes, without the additional fee for the customer. */
export function withoutImposedFee<State extends PaymentState>(sent: unknown, payment: State): State {
  const fee = imposedFee(sent, payment.gross_amount);
  if (fee === null) return payment;
  const asked = payment.gross_amount - fee;
  const refunded = refundedAmount(payment);
  // The shop never had the fee, so it is not part of a refund.
  return {
    ...payment,
    gross_amount: asked,
    ...(refunded !== null && { refund_amount: Math.min(refunded, asked) }),
  };
}

/** The amount paid back so far; null for a part of unknown size. */
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
 * The meaning of a status. Money has arrived only if status, `status_code` and `fraud_status` agree. Null for a partial refund of unknown
 * size.
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
