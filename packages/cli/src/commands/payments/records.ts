import type { ListedRefund } from '@topup-kit/core/engine';
import type { Reconciliation, Refund } from '@topup-kit/core/store';
import { isoTime, isoTimeOrNull, money, readableTime } from '../../output/format.ts';
import { list } from '../../output/table.ts';

export const refundDocument = (refund: Refund) => ({
  refund_id: refund.refundId,
  order_id: refund.orderId,
  amount: refund.amount,
  units: refund.units,
  created_at: isoTime(refund.at),
  by: refund.operator,
  note: refund.note,
  state: refund.state,
  reference: refund.reference,
  closed_at: isoTimeOrNull(refund.closedAt),
  closed_by: refund.closedBy,
});

export const paymentDocument = (payment: Reconciliation) => ({
  reconciliation_id: payment.reconciliationId,
  order_id: payment.orderId,
  payment_reference: payment.reference,
  amount: payment.amount,
  paid_at: isoTime(payment.paidAt),
  noticed_at: isoTime(payment.noticedAt),
  reason: payment.reason,
  state: payment.state,
  note: payment.note,
  closed_at: isoTimeOrNull(payment.closedAt),
  closed_by: payment.closedBy,
});

/** Formats the operator and the time: `ani, 29 Mar 2026, 10:00 GMT+7`. */
const byWhom = (who: string | null, at: number): string => `${who ?? 'the gateway'}, ${readableTime(at)}`;

/** Formats the lines of a refund, with the data of its order. */
export async function refundScreen(
  refund: Refund,
  { order, isContradicted }: Partial<ListedRefund> = {},
): Promise<string> {
  const { contradictedWords, purposeWords, refundStateWords } = await import('@topup-kit/core/engine');
  const { state, closedBy, closedAt, reference } = refund;
  const closed = closedAt === null ? '' : ` by ${byWhom(closedBy, closedAt)}`;
  return list([
    ['Refund', refund.refundId],
    ['Amount', money(refund.amount)],
    ['For', purposeWords(refund).en],
    ['Customer', order ? [order.contact.whatsapp, order.contact.email].filter(Boolean).join(', ') : null],
    ['Careful', isContradicted && state === 'to-pay' ? contradictedWords.en : null],
    ['Decided', `by ${byWhom(refund.operator, refund.at)}`],
    ['Note', refund.note],
    ['State', refundStateWords[state].en + closed],
    [state === 'cancelled' ? 'Because' : 'Reference', reference],
  ]);
}

export async function paymentScreen(payment: Reconciliation): Promise<string> {
  const { paymentStateWords, reasonWords } = await import('@topup-kit/core/engine');
  const { reason, closedBy, closedAt } = payment;
  return list([
    ['Payment', payment.reconciliationId],
    ['Order', payment.orderId ?? 'none'],
    ['Ref', payment.reference],
    ['Amount', money(payment.amount)],
    ['Why', reasonWords[reason].en],
    [reason === 'refunded' ? 'Refunded' : 'Paid', readableTime(payment.paidAt)],
    ['State', paymentStateWords(payment).en],
    ['By', closedAt === null ? null : byWhom(closedBy, closedAt)],
    ['Note', payment.note],
  ]);
}

export const allScreens = async (screens: readonly Promise<string>[]): Promise<string> =>
  (await Promise.all(screens)).join('\n');
