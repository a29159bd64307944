import type { Actor, Store, StoredOrder } from '../store/index.ts';
import type { Emit, PaymentEvent, PaymentResult } from './events.ts';

export interface PaymentContext {
  store: Store;
  /** World time in unix milliseconds. */
  now: number;
  by?: Actor;
  emit?: Emit | undefined;
}

/** What a payment was reported as, for a sentence. */
const reported = { failed: 'failed', expired: 'expired', refunded: 'was refunded' } as const;

/** What came of an event that changed nothing. */
export function withoutChange(
  { paymentStatus, buyStatus }: StoredOrder,
  { status }: PaymentEvent,
): Pick<PaymentResult, 'outcome' | 'reason'> {
  const agrees =
    status === 'paid' ||
    paymentStatus === 'REFUND' ||
    (status !== 'refunded' && ['EXPIRED', 'FAILED'].includes(paymentStatus));
  if (agrees) return { outcome: 'unchanged', reason: null };
  return {
    outcome: 'contradiction',
    reason: `The gateway says that the payment ${reported[status]}, but the order is ${paymentStatus} / ${buyStatus}.`,
  };
}
