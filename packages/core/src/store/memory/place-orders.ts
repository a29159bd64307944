import {
  type Conflict,
  type Done,
  done,
  type FinaliseOrder,
  type IdempotentAnswer,
  type PlaceOrder,
  type PlaceOrderConflict,
  type ReserveOrder,
  type ReserveOrderConflict,
} from '../store.ts';
import type { ReservedOrder, StoredOrder } from '../types/order.ts';
import { claimConflict, claimUse, releaseUse } from './promo-uses.ts';
import type { State } from './state.ts';

export const answerKey = (accountId: string, key: string): string => `${accountId}\n${key}`;

/** Unpaid orders with a unique code are told apart by their total, per payment method. */
export const uniqueTotal = ({ paymentStatus, paymentMethod, pricing }: ReservedOrder): string | null =>
  paymentStatus === 'UNPAID' && pricing.unique_code > 0
    ? `${paymentMethod.id}\n${pricing.total_price}`
    : null;

function answerInUse(
  state: State,
  answer: IdempotentAnswer | null,
  now: number,
): IdempotentAnswer | undefined {
  const stored = answer && state.answers.get(answerKey(answer.accountId, answer.key));
  return stored && stored.expiresAt > now ? stored : undefined;
}

function takenConflict(state: State, { order, promo, answer }: ReserveOrder): ReserveOrderConflict | null {
  const stored = answerInUse(state, answer, order.createdAt);
  if (stored) return { conflict: 'idempotency_conflict', stored };
  if (state.orders.has(order.orderId) || state.reserved.has(order.orderId))
    return { conflict: 'order_id_taken' };
  const total = uniqueTotal(order);
  if (total !== null && state.uniqueTotals.has(total)) return { conflict: 'code_taken' };
  return claimConflict(state, promo);
}

function hold(state: State, { order, promo, answer }: ReserveOrder): void {
  const total = uniqueTotal(order);
  if (total !== null) state.uniqueTotals.set(total, order.orderId);
  claimUse(state, order.orderId, promo);
  if (answer) state.answers.set(answerKey(answer.accountId, answer.key), answer);
}

function show(state: State, order: StoredOrder): void {
  state.orders.set(order.orderId, order);
  state.references.set(order.payment.reference, order.orderId);
  if (order.paymentStatus === 'UNPAID') state.unpaid.add(order.orderId);
}

export function placeOrder(state: State, command: PlaceOrder): Done | PlaceOrderConflict {
  const conflict = takenConflict(state, command);
  if (conflict) return conflict;
  if (state.references.has(command.order.payment.reference)) return { conflict: 'reference_taken' };
  hold(state, command);
  show(state, command.order);
  return done;
}

export function reserveOrder(state: State, command: ReserveOrder): Done | ReserveOrderConflict {
  const conflict = takenConflict(state, command);
  if (conflict) return conflict;
  hold(state, command);
  state.reserved.set(command.order.orderId, command.order);
  return done;
}

/** The idempotency key that a reserved order holds: its answer is not there yet. */
function heldAnswer(state: State, orderId: string): [string, IdempotentAnswer] | undefined {
  return [...state.answers].find(([, answer]) => answer.orderId === orderId);
}

export function finaliseOrder(
  state: State,
  { orderId, payment, body }: FinaliseOrder,
): Done | Conflict<'order_missing' | 'reference_taken'> {
  const order = state.reserved.get(orderId);
  if (!order) return { conflict: 'order_missing' };
  if (state.references.has(payment.reference)) return { conflict: 'reference_taken' };
  const [key, answer] = heldAnswer(state, orderId) ?? [];
  if (key !== undefined && answer) state.answers.set(key, { ...answer, body });
  state.reserved.delete(orderId);
  show(state, { ...order, payment });
  return done;
}

export function abandonOrder(state: State, orderId: string): Done | Conflict<'order_missing'> {
  const order = state.reserved.get(orderId);
  if (!order) return { conflict: 'order_missing' };
  const [key] = heldAnswer(state, orderId) ?? [];
  if (key !== undefined) state.answers.delete(key);
  const total = uniqueTotal(order);
  if (total !== null) state.uniqueTotals.delete(total);
  releaseUse(state, orderId);
  state.claims.delete(orderId);
  state.reserved.delete(orderId);
  return done;
}
