import type { Refund, StoredOrder } from '../store/index.ts';
import { DomainError } from './errors.ts';
import { rejectErased } from './operator-plans.ts';
import type { OperatorDependencies } from './operators.ts';
import { applyEvent } from './orders/change-order.ts';
import { planChange, stateConflict } from './orders/states.ts';
import { AmountError, refundOfExcess } from './refunds.ts';

/** A payment that is to count as the payment of an order. */
interface Settlement {
  reconciliationId: string;
  /** The order of a payment that was made for no known order; the others have an order. */
  orderId?: string | undefined;
  /** Whether the payment may be less or more than the order's total. */
  otherAmount?: boolean | undefined;
  /** Why, for the order's history. */
  note?: string | undefined;
}

/** An order as a settlement leaves it. */
export interface SettledOrder {
  order: StoredOrder;
  /** By how much the payment is over the order's total, and below zero how much is short; integer in the smallest unit. */
  difference: number;
  /** The refund of what is over, to be paid by hand. */
  refunds: readonly Refund[];
}

/** Plans a settlement, as the input of its event. */
async function plan(
  { store, worldClock, operator }: OperatorDependencies,
  { reconciliationId, orderId = '', otherAmount = false, note }: Settlement,
) {
  const [payment] = await store.listReconciliations({ reconciliationId, state: 'open' });
  if (!payment) throw new DomainError('RECONCILIATION_NOT_FOUND');
  const order = await store.findOrder(payment.orderId ?? orderId);
  if (!order) throw new DomainError('INVOICE_NOT_FOUND');
  const at = worldClock();
  const { amount } = payment;
  const total = order.pricing.total_price;
  const difference = amount - total;
  const input = {
    ...({
      event: 'settled',
      by: 'operator',
      at,
      operator,
      amount,
      note,
      settles: [reconciliationId],
    } as const),
    ...(payment.fee !== null && { fee: payment.fee }),
    refunds: difference > 0 ? [refundOfExcess(order.orderId, difference, { at, operator, note: null })] : [],
  };
  // A refund is money that left, so it pays for nothing.
  const change = payment.reason === 'refunded' ? null : planChange(order, input);
  if (!change) throw stateConflict(order);
  rejectErased(order);
  if (difference !== 0 && !otherAmount) throw new AmountError('other-than-total', amount, total);
  return { order, input, change, difference };
}

/**
 * Accepts a payment that did not fit its order; the order is then delivered. What is paid over its total becomes a refund to be
 * paid by hand.
 *
 * @throws DomainError RECONCILIATION_NOT_FOUND, INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state; AmountError when
 * the payment is not the order's total and `otherAmount` is not set; UnitsError when who the order is for was erased.
 */
export async function settleReconciliation(
  deps: OperatorDependencies,
  settlement: Settlement,
): Promise<SettledOrder> {
  const { order, input, difference } = await plan(deps, settlement);
  const applied = await applyEvent(deps.store, order.orderId, input, order);
  if (!applied) throw new DomainError('INVOICE_NOT_FOUND');
  if (!applied.changed) throw stateConflict(applied.order);
  return { order: applied.order, difference, refunds: input.refunds };
}

/**
 * Returns what {@link settleReconciliation} would do, without doing it.
 *
 * @throws like it.
 */
export async function previewSettlement(
  deps: OperatorDependencies,
  settlement: Settlement,
): Promise<SettledOrder> {
  const { order, change, difference } = await plan(deps, settlement);
  return { order: { ...order, ...change.to }, difference, refunds: change.refunds };
}

/** Records that the money of a payment went back to the customer, or how a refund of the gateway was dealt with. */
export const returnPayment = (
  { store, worldClock, operator }: OperatorDependencies,
  reconciliationId: string,
  note: string,
): ReturnType<OperatorDependencies['store']['returnReconciliation']> =>
  store.returnReconciliation(reconciliationId, note, { closedAt: worldClock(), closedBy: operator });
