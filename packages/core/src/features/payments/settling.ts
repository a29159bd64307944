import { DomainError } from '../../engine/errors.ts';
import type { OperatorDependencies } from '../../engine/operators.ts';
import { applyEvent } from '../../engine/orders/change-order.ts';
import { stateConflict } from '../../engine/orders/states.ts';
import { AmountError, refundOfExcess } from '../../engine/refunds.ts';
import type { Refund, StoredOrder } from '../../store/index.ts';
import { ClosingError, findPayment, settlementRefusal } from './closing.ts';

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
  { reconciliationId, orderId, otherAmount = false, note }: Settlement,
) {
  const payment = await findPayment(store, reconciliationId);
  const order = await store.findOrder(payment.orderId ?? orderId ?? '');
  const refusal = settlementRefusal(payment, order);
  if (refusal) throw refusal;
  if (payment.orderId !== null && orderId !== undefined && orderId !== payment.orderId)
    throw new ClosingError('RECONCILIATION_OF_OTHER_ORDER', () => ({
      id: `Pembayaran ${reconciliationId} dibuat untuk ${payment.orderId}, jadi tidak bisa membayar ${orderId}.`,
      en: `The payment ${reconciliationId} was made for ${payment.orderId}, so it can't settle ${orderId}.`,
    }));
  if (payment.orderId === null && orderId === undefined)
    throw new ClosingError(
      'RECONCILIATION_WITHOUT_ORDER',
      () => ({
        id: `Pembayaran ${reconciliationId} dibuat untuk pesanan yang tidak diketahui: tulis untuk pesanan mana.`,
        en: `The payment ${reconciliationId} was made for no known order: say for which.`,
      }),
      payment,
    );
  if (!order) throw new DomainError('INVOICE_NOT_FOUND');
  const at = worldClock();
  const { amount } = payment;
  const difference = amount - order.pricing.total_price;
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
  if (difference !== 0 && !otherAmount)
    throw new AmountError('other-than-total', amount, order.pricing.total_price);
  return { order, input, difference };
}

/**
 * Accepts a payment that did not fit its order; the order is then delivered. What is paid over its total becomes a refund to be
 * paid by hand.
 *
 * @throws ClosingError when there is no such payment, or it can't be settled; DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT with
 * the order's state; AmountError when the payment is not the order's total and `otherAmount` is not set; UnitsError when who the
 * order is for was erased.
 */
export async function settleReconciliation(
  deps: OperatorDependencies,
  settlement: Settlement,
): Promise<SettledOrder> {
  const { order, input, difference } = await plan(deps, settlement);
  const applied = await applyEvent(deps.store, order.orderId, input, order);
  if (!applied) throw new DomainError('INVOICE_NOT_FOUND');
  if (!applied.changed) {
    // What was faster may have closed the payment, too: this says so.
    await plan(deps, settlement);
    throw stateConflict(applied.order);
  }
  return { order: applied.order, difference, refunds: input.refunds };
}
