import type { Actor, Reconciliation, Store, StoredOrder } from '../store/index.ts';
import { type Happening, happen } from './orders/states.ts';

/** What a gateway tells of a payment, once it is known to come from the gateway. */
export interface PaymentNews {
  reference: string;
  status: 'paid' | 'failed' | 'expired' | 'refunded';
  /** Integer in the smallest unit. */
  amount: number;
  /** When it happened, in unix milliseconds of world time. */
  at: number;
}

/** Why money can't be taken for an order as it stands; null when it can. */
function mismatch(order: StoredOrder, { amount, at }: PaymentNews): Reconciliation['reason'] | null {
  if (amount !== order.pricing.total_price) return 'amount';
  if (order.paymentStatus === 'UNPAID') return at < order.expiresAt ? null : 'late';
  if (order.paymentStatus === 'EXPIRED') return at < order.expiresAt ? null : 'late';
  return order.paymentStatus === 'FAILED' ? 'closed' : null;
}

/** News told again tells nothing new: the same payment has the same name. */
const reconciliationId = ({ reference, amount, at }: PaymentNews): string => `${reference}-${amount}-${at}`;

async function keepForOperators(
  store: Store,
  order: StoredOrder,
  news: PaymentNews,
  reason: Reconciliation['reason'],
  noticedAt: number,
): Promise<void> {
  await store.noteReconciliation({
    reconciliationId: reconciliationId(news),
    orderId: order.orderId,
    reference: news.reference,
    amount: news.amount,
    paidAt: news.at,
    noticedAt,
    reason,
    state: 'open',
    note: null,
  });
}

const events = { paid: 'paid', failed: 'failed', expired: 'expired', refunded: 'refunded' } as const;

/**
 * Takes news of a payment (open points: states). Told again or contradicting, it changes nothing; money that came too
 * late, or is another amount, is kept for an operator.
 *
 * @returns the order as it is afterwards; null when no payment has this reference.
 */
export async function takePaymentNews(
  { store, now, by = 'gateway' }: { store: Store; now: number; by?: Actor },
  news: PaymentNews,
): Promise<StoredOrder | null> {
  for (;;) {
    const order = await store.findOrderByReference(news.reference);
    if (!order) return null;
    const reason = news.status === 'paid' ? mismatch(order, news) : null;
    if (reason !== null) {
      await keepForOperators(store, order, news, reason, now);
      return order;
    }
    const happening: Happening = { event: events[news.status], by, at: now };
    const happened = await happen(store, order.orderId, happening);
    if (!happened) return null;
    // Money for an order that was given up while the news was taken is judged anew: none may get lost.
    const givenUp = ['EXPIRED', 'FAILED'].includes(happened.order.paymentStatus);
    if (happened.changed || news.status !== 'paid' || !givenUp) return happened.order;
  }
}
