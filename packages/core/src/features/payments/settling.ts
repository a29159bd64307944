import { DomainError } from '../../engine/errors.ts';
import type { OperatorDependencies } from '../../engine/operators.ts';
import { applyEvent } from '../../engine/orders/change-order.ts';
import { stateConflict } from '../../engine/orders/states.ts';
import { AmountError, refundOfExcess } from '../../engine/refunds.ts';
import type { Refund, StoredOrder } from '../../store/index.ts';
import { ClosingError, findPayment, settlementRefusal } from './closing.ts';

/** A payment to accept for an order. */
interface Settlement {
  reconciliationId: string;
  /** Id of the order, for a payment without a known order. */
  orderId?: string | undefined;
  /** True if the payment may differ from the order's total. */
  otherAmount?: boolean | undefined;
  /** The reason, for the order's history. */
  note?: string | undefined;
}

/** The result of a settlement. */
export interface SettledOrder {
  order: StoredOrder;
  /** Payment minus total: positive if too much was paid, negative if too little; integer in the smallest unit. */
  difference: number;
  /** The refund of the excess, which must be paid by hand. */
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
        en: `The payment ${reconciliationId} was made for an unknown order: name its order.`,
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
 * Accepts a payment that did not match its order, which is then delivered. An amount above the total becomes a refund to be paid by hand.
 *
 * @throws ClosingError if the payment is not found or can't be settled; DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's
 * state; AmountError if the payment differs from the order's total and `otherAmount` is not set; UnitsError if the order was erased.
 */
export async function settleReconciliation(
  deps: OperatorDependencies,
  settlement: Settlement,
): Promise<SettledOrder> {
  const { order, input, difference } = await plan(deps, settlement);
  const applied = await applyEvent(deps.store, order.orderId, input, order);
  if (!applied) throw new DomainError('INVOICE_NOT_FOUND');
  if (!applied.changed) {
    // If a faster command has closed the payment, this throws the matching error.
    await plan(deps, settlement);
    throw stateConflict(applied.order);
  }
  return { order: applied.order, difference, refunds: input.refunds };
}
