import type { BuyStatus, PaymentStatus } from '../../contract/index.ts';
import type { ChangeOrder, OrderEvent, OrderState } from '../../store/index.ts';

/** The state that every order begins in (interface 3). */
export const initialState = { paymentStatus: 'UNPAID', buyStatus: 'Pending' } as const satisfies OrderState;

/** A row of the table: from which states an event leads to which, and what it does besides. */
export interface Transition {
  from: readonly OrderState[];
  to: OrderState;
  promo: ChangeOrder['promo'];
  /** Which units are on their way from then on: all, or those that failed. */
  deliver: 'nothing' | 'all' | 'failed';
}

const state = (paymentStatus: PaymentStatus, buyStatus: BuyStatus): OrderState => ({
  paymentStatus,
  buyStatus,
});

const unpaid = [initialState];
const unpaidForGood = [state('EXPIRED', 'Batal'), state('FAILED', 'Batal')];

/**
 * Both tables of the open points (states) as one: what each event does to an order. What isn't here can't happen.
 *
 * `paid` of an expired order is a payment made in time and told late; `settled` is an operator's word.
 */
export const transitions: Record<OrderEvent, Transition> = {
  paid: {
    from: [...unpaid, state('EXPIRED', 'Batal')],
    to: state('PAID', 'Proses'),
    promo: 'reclaim',
    deliver: 'all',
  },
  settled: { from: unpaidForGood, to: state('PAID', 'Proses'), promo: 'reclaim', deliver: 'all' },
  expired: { from: unpaid, to: state('EXPIRED', 'Batal'), promo: 'release', deliver: 'nothing' },
  failed: { from: unpaid, to: state('FAILED', 'Batal'), promo: 'release', deliver: 'nothing' },
  delivered: {
    from: [state('PAID', 'Proses')],
    to: state('PAID', 'Sukses'),
    promo: 'keep',
    deliver: 'nothing',
  },
  undelivered: {
    from: [state('PAID', 'Proses')],
    to: state('PAID', 'Gagal'),
    promo: 'keep',
    deliver: 'nothing',
  },
  retried: {
    from: [state('PAID', 'Gagal')],
    to: state('PAID', 'Proses'),
    promo: 'keep',
    deliver: 'failed',
  },
  refunded: {
    from: [state('PAID', 'Gagal')],
    to: state('REFUND', 'Gagal'),
    promo: 'keep',
    deliver: 'nothing',
  },
};

const isSame = (a: OrderState, b: OrderState): boolean =>
  a.paymentStatus === b.paymentStatus && a.buyStatus === b.buyStatus;

/** What an event does to an order in a state; null when it does nothing there. */
export function transitionOf(from: OrderState, event: OrderEvent): Transition | null {
  const transition = transitions[event];
  return transition.from.some((one) => isSame(one, from)) ? transition : null;
}

/** Whether an order's time to pay is over at a moment of world time. */
export const isOverdue = (order: OrderState & { expiresAt: number }, now: number): boolean =>
  order.paymentStatus === 'UNPAID' && now >= order.expiresAt;
