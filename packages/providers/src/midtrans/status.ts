import type { PaymentReport } from '@topup-kit/core/gateway';
import * as z from 'zod/mini';
import { text, whole } from '../readers.ts';

/** The statuses, with the outcome that each means by itself. */
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
  // A part of the payment: the rest is the shop's.
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

/** What a notification and the status route say of a payment. */
export const paymentState = {
  order_id: z.string().check(z.minLength(1)),
  transaction_id: z.string().check(z.minLength(1), z.maxLength(255)),
  status_code: text,
  gross_amount: whole,
  transaction_status: z.enum(statuses),
  fraud_status: z.nullish(z.string()),
  settlement_time: z.nullish(jakartaTime),
  /** All that was paid back so far; `refunds` are the payments that it is made of. */
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
 * With automatic fee imposition Midtrans adds its fee to the amount that the customer pays. What the shop asked for then stands in
 * `extra_info`, which the documentation shows at the top, and notifications have in `metadata`.
 *
 * @returns null when the amount holds no such fee, or when the two don't fit.
 */
function imposedFee(sent: unknown, paid: number): number | null {
  const { success, data } = withInfo.safeParse(sent);
  if (!success) return null;
  const { original_amount: original, gross_amount: gross } = data.extra_info.gross_amount_info;
  return gross === paid && original < gross ? gross - original : null;
}

/** The amount that the shop asked for, of a payment that Midtrans describes. */
export const askedAmount = (sent: unknown, paid: number): number => paid - (imposedFee(sent, paid) ?? 0);

/** A payment as Midtrans describes it, without the fee that the customer paid on top. */
export function withoutImposedFee<State extends PaymentState>(sent: unknown, payment: State): State {
  const fee = imposedFee(sent, payment.gross_amount);
  if (fee === null) return payment;
  const asked = payment.gross_amount - fee;
  const refunded = refundedAmount(payment);
  // The fee never was the shop's, so that it is none of its money that went back.
  return {
    ...payment,
    gross_amount: asked,
    ...(refunded !== null && { refund_amount: Math.min(refunded, asked) }),
  };
}

/** How much of a payment was paid back so far; null when a part was, and nothing says how much. */
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
 * What a status means. Money has arrived only if status, `status_code` and `fraud_status` all say so. Null when a part of the
 * payment was paid back, and nothing says how much.
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
