import type { OrderState, StoredOrder } from '../../store/index.ts';

/** A change of an order's state, with what it causes. */
export interface Transition {
  from: OrderState;
  to: OrderState;
  releasePromo: boolean;
}

const unpaid: OrderState = { paymentStatus: 'UNPAID', buyStatus: 'Pending' };

/** Expiry: nobody paid in time, so nothing is bought and the promo use goes back (open points: states). */
export const expiry: Transition = {
  from: unpaid,
  to: { paymentStatus: 'EXPIRED', buyStatus: 'Batal' },
  releasePromo: true,
};

/** Whether an order's time to pay is over at a moment of world time. */
export const isOverdue = (order: StoredOrder, now: number): boolean =>
  order.paymentStatus === 'UNPAID' && now >= order.expiresAt;

/** The state that every order begins in (interface 3). */
export const initialState = unpaid;
