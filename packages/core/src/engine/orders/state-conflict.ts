import type { OrderState } from '../../store/index.ts';
import { Refusal } from '../refusal.ts';

/** What was asked can't happen to an order in the state it is in, which the refusal tells. */
export const stateConflict = ({ paymentStatus, buyStatus }: OrderState): Refusal =>
  new Refusal('STATE_CONFLICT', { words: { payment: paymentStatus, buy: buyStatus } });
