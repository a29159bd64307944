import type { PaymentState } from '../generated/types.ts';
import type { WaitGoal } from '../options.ts';
import type { TopupCall } from '../results.ts';

/** A final state of an order, which only an operator can change. */
export type FinalResult =
  | {
      /** `delivered`: the order was paid and delivered. */
      outcome: 'delivered';
      /** The state that ended the wait. */
      state: PaymentState & { payment_status: 'PAID'; buy_status: 'Sukses' };
    }
  | {
      /** `delivery_failed`: the order was paid, but at least one unit was not delivered. */
      outcome: 'delivery_failed';
      /** The state that ended the wait. */
      state: PaymentState & { payment_status: 'PAID'; buy_status: 'Gagal' };
    }
  | {
      /** `expired`: the order was not paid in time. */
      outcome: 'expired';
      /** The state that ended the wait. */
      state: PaymentState & { payment_status: 'EXPIRED' };
    }
  | {
      /** `payment_failed`: the payment gateway reported a failure. */
      outcome: 'payment_failed';
      /** The state that ended the wait. */
      state: PaymentState & { payment_status: 'FAILED' };
    }
  | {
      /** `refunded`: the order was paid back to the customer. */
      outcome: 'refunded';
      /** The state that ended the wait. */
      state: PaymentState & { payment_status: 'REFUND' };
    };

/** The result of a wait with `until: 'paid'`. */
export type PaidResult =
  | {
      /** `paid`: the order was paid; its delivery may be in progress or complete. */
      outcome: 'paid';
      /** The state that ended the wait. */
      state: PaymentState & { payment_status: 'PAID' };
    }
  | Exclude<FinalResult, { outcome: 'delivered' | 'delivery_failed' }>;

/** The result of `orders.waitFor`: the order's `outcome` and `state`. */
export type WaitResult<Goal extends WaitGoal = 'final'> = Goal extends 'paid' ? PaidResult : FinalResult;

/** The outcome of an order: `delivered`, `delivery_failed`, `expired`, `payment_failed` or `refunded`; or `paid`, with `until: 'paid'`. */
export type OutcomeName = (FinalResult | PaidResult)['outcome'];

/** A wait for an order: a promise of the result, and an async iterable of the states until the result. */
export interface OrderWait<Goal extends WaitGoal = 'final'>
  extends Promise<WaitResult<Goal>>,
    AsyncIterable<PaymentState>,
    Pick<TopupCall<WaitResult<Goal>>, 'safe'> {}

/** Returns the result of a wait in this state; undefined while the wait continues. Unknown statuses never end a wait. */
export function resultOf<Goal extends WaitGoal>(
  state: PaymentState,
  until: Goal | undefined,
): WaitResult<Goal> | undefined {
  const outcome = outcomeOf(state, until);
  // Safe: each outcome implies the statuses of its type.
  return outcome && ({ outcome, state } as WaitResult<Goal>);
}

function outcomeOf(
  { payment_status, buy_status }: PaymentState,
  until: WaitGoal | undefined,
): OutcomeName | undefined {
  if (payment_status === 'EXPIRED') return 'expired';
  if (payment_status === 'FAILED') return 'payment_failed';
  if (payment_status === 'REFUND') return 'refunded';
  if (payment_status !== 'PAID') return undefined;
  if (until === 'paid') return 'paid';
  if (buy_status === 'Sukses') return 'delivered';
  return buy_status === 'Gagal' ? 'delivery_failed' : undefined;
}
