import type { Actor, Reconciliation, Store, StoredOrder } from '../store/index.ts';
import { applyEvent } from './orders/states.ts';

/** A gateway's report of a payment, after its origin was verified. */
export interface PaymentEvent {
  reference: string;
  status: 'paid' | 'failed' | 'expired' | 'refunded';
  /** Integer in the smallest unit. */
  amount: number;
  /** When the payment was made, failed, expired or was refunded, in unix milliseconds of world time. */
  at: number;
}

/** Why a payment can't be accepted for an order in its state; null when it can. */
function mismatch(order: StoredOrder, { amount, at }: PaymentEvent): Reconciliation['reason'] | null {
  if (amount !== order.pricing.total_price) return 'amount';
  if (order.paymentStatus === 'UNPAID' || order.paymentStatus === 'EXPIRED')
    return at < order.expiresAt ? null : 'late';
  return order.paymentStatus === 'FAILED' ? 'closed' : null;
}

/** A payment that is reported twice has the same id both times, so it is stored once. */
const reconciliationId = ({ reference, amount, at }: PaymentEvent): string => `${reference}-${amount}-${at}`;

async function storeReconciliation(
  store: Store,
  order: StoredOrder,
  payment: PaymentEvent,
  reason: Reconciliation['reason'],
  noticedAt: number,
): Promise<void> {
  await store.addReconciliation({
    reconciliationId: reconciliationId(payment),
    orderId: order.orderId,
    reference: payment.reference,
    amount: payment.amount,
    paidAt: payment.at,
    noticedAt,
    reason,
    state: 'open',
    note: null,
  });
}

/**
 * Applies a payment event (open points: states). A repeated or contradicting event changes nothing. A payment that was
 * too late or of another amount is stored for an operator.
 *
 * @returns the order after the event; null when no payment has this reference.
 */
export async function handlePaymentEvent(
  { store, now, by = 'gateway' }: { store: Store; now: number; by?: Actor },
  payment: PaymentEvent,
): Promise<StoredOrder | null> {
  for (;;) {
    const order = await store.findOrderByReference(payment.reference);
    if (!order) return null;
    const reason = payment.status === 'paid' ? mismatch(order, payment) : null;
    if (reason !== null) {
      await storeReconciliation(store, order, payment, reason, now);
      return order;
    }
    const applied = await applyEvent(store, order.orderId, { event: payment.status, by, at: now });
    if (!applied) return null;
    // The order may have been closed in between. Then the payment is checked again, so that it is not lost.
    const closed = ['EXPIRED', 'FAILED'].includes(applied.order.paymentStatus);
    if (applied.changed || payment.status !== 'paid' || !closed) return applied.order;
  }
}
