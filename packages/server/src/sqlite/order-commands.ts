import type { ChangeOrder, Conflict, Done, PlaceOrder, PlaceOrderConflict } from '@topup-kit/core/store';
import { done } from '@topup-kit/core/store';
import type { AnswerRows } from './answer-rows.ts';
import type { OrderRows } from './order-rows.ts';
import type { PromoRows } from './promo-rows.ts';

interface Rows {
  answers: AnswerRows;
  orders: OrderRows;
  promos: PromoRows;
}

/** The first constraint that refuses is the answer; what was written before it is rolled back by the caller. */
export function placeOrder(
  { answers, orders, promos }: Rows,
  { order, promo, answer }: PlaceOrder,
): Done | PlaceOrderConflict {
  return (
    (answer && answers.take(answer, order.createdAt)) ??
    orders.insert(order) ??
    (promo && promos.claim(order.orderId, promo)) ??
    done
  );
}

export function changeOrder(
  { orders, promos }: Rows,
  change: ChangeOrder,
): Done | Conflict<'order_missing' | 'state_changed'> {
  const conflict = orders.changeState(change);
  if (conflict) return conflict;
  if (change.releasePromo) promos.release(change.orderId);
  return done;
}
