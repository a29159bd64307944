import type { TopupCall } from '../sending/call.ts';
import type { PaymentState } from '../types.ts';

/** What to wait for: any end, or payment alone. */
export type Until = 'final' | 'paid';

/** A state in which an order stays, unless an operator changes it (open points, States). */
export type FinalState =
  | { outcome: 'delivered'; state: PaymentState & { payment_status: 'PAID'; buy_status: 'Sukses' } }
  | { outcome: 'delivery_failed'; state: PaymentState & { payment_status: 'PAID'; buy_status: 'Gagal' } }
  | { outcome: 'expired'; state: PaymentState & { payment_status: 'EXPIRED' } }
  | { outcome: 'payment_failed'; state: PaymentState & { payment_status: 'FAILED' } }
  | { outcome: 'refunded'; state: PaymentState & { payment_status: 'REFUND' } };

/** How a wait for payment ends. */
export type PaidState =
  | { outcome: 'paid'; state: PaymentState & { payment_status: 'PAID' } }
  | Exclude<FinalState, { outcome: 'delivered' | 'delivery_failed' }>;

/** How a wait ends. */
export type OrderResult<Goal extends Until = 'final'> = Goal extends 'paid' ? PaidState : FinalState;

type OutcomeName = (FinalState | PaidState)['outcome'];

/** A wait under way: a promise of its end, and an iterable of the states on the way there. */
export interface OrderWait<Goal extends Until = 'final'>
  extends Promise<OrderResult<Goal>>,
    AsyncIterable<PaymentState>,
    Pick<TopupCall<OrderResult<Goal>>, 'safe'> {}

/** How the wait ends with this state; undefined while it goes on. Statuses that nobody knows yet end nothing. */
export function resultOf<Goal extends Until>(
  state: PaymentState,
  until: Goal | undefined,
): OrderResult<Goal> | undefined {
  const outcome = outcomeOf(state, until);
  // safe: each outcome stands for the statuses that its type names
  return outcome && ({ outcome, state } as OrderResult<Goal>);
}

function outcomeOf(
  { payment_status, buy_status }: PaymentState,
  until: Until | undefined,
): OutcomeName | undefined {
  if (payment_status === 'EXPIRED') return 'expired';
  if (payment_status === 'FAILED') return 'payment_failed';
  if (payment_status === 'REFUND') return 'refunded';
  if (payment_status !== 'PAID') return undefined;
  if (until === 'paid') return 'paid';
  if (buy_status === 'Sukses') return 'delivered';
  return buy_status === 'Gagal' ? 'delivery_failed' : undefined;
}
