import type { Actor, Store, StoredOrder } from '../store/index.ts';

/** A gateway's report of a payment, after its origin was verified. */
export interface PaymentEvent {
  /** The gateway's reference. */
  reference: string;
  /** The order that the payment was made for, if the gateway names it. */
  orderId?: string | null;
  status: 'paid' | 'failed' | 'expired' | 'refunded';
  /** Integer in the smallest unit: of a `refunded`, all that was paid back of the payment so far. */
  amount: number;
  /** Of a `refunded`: what was paid, if the gateway tells. */
  paid?: number | undefined;
  /**
   * When the payment was made, failed, expired or was refunded, in unix milliseconds of world time; null when the gateway
   * does not tell, so that the moment of the report counts. Two payments with one reference differ by it.
   */
  at: number | null;
}

/** What came of a payment event. */
export interface PaymentResult {
  /** `failed`: the order is still being created, so the event is to be sent again. */
  outcome: 'applied' | 'unchanged' | 'contradiction' | 'reconciliation' | 'unmatched' | 'failed';
  /** Why, as a sentence; null when the outcome says it all. */
  reason: string | null;
  /** The order of the payment, as it is now. */
  order: StoredOrder | null;
  /** Set when the payment was kept for an operator before, so that there is nothing new to tell. */
  isRepeated?: true;
}

export interface PaymentContext {
  store: Store;
  /** World time in unix milliseconds. */
  now: number;
  by?: Actor;
  /** Called once for each event after it was applied, for a log. */
  reportPayment?: ReportPayment | undefined;
}

export type ReportPayment = (event: PaymentEvent, result: PaymentResult) => void;

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
