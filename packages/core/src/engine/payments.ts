import type { Reconciliation, Store, StoredOrder } from '../store/index.ts';
import type { PaymentEvent, PaymentResult } from './events.ts';
import { applyGatewayRefund, applyUnknownRefund } from './gateway-refunds.ts';
import { applyEvent } from './orders/change-order.ts';
import { isLater, type PaymentContext, reconcilePayment, withoutChange } from './payment-event.ts';

/** Tells whether a payment other than this one paid the order. */
async function isPaidAgain(store: Store, { orderId }: StoredOrder, { at }: PaymentEvent): Promise<boolean> {
  if (at === null) return false;
  const history = await store.findHistory(orderId);
  const first = history.find(({ event }) => event === 'paid' || event === 'settled');
  if (!first) return false;
  // A settled payment is stored as a reconciliation, so that repeated reports are detected.
  if (first.event === 'settled') return true;
  return first.paidAt === undefined ? isLater(at, first.at) : first.paidAt !== at;
}

/** Returns the reason why a payment can't be accepted for an order in its current state; null if it can be or already was accepted. */
async function mismatch(
  { store, now }: PaymentContext,
  order: StoredOrder,
  event: PaymentEvent,
): Promise<Reconciliation['reason'] | null> {
  if (event.amount !== order.pricing.total_price) return 'amount';
  switch (order.paymentStatus) {
    case 'UNPAID':
    case 'EXPIRED':
      return (event.at ?? now) < order.expiresAt ? null : 'late';
    case 'FAILED':
      return 'closed';
    default:
      return (await isPaidAgain(store, order, event)) ? 'closed' : null;
  }
}

/** Applies an event to the order with the same reference; null if the order was changed in between. */
async function applyToOrder(
  context: PaymentContext,
  order: StoredOrder,
  event: PaymentEvent,
): Promise<PaymentResult | null> {
  const { store, now, by = 'gateway' } = context;
  const { orderId } = order;
  const { status, at, fee } = event;
  if (status === 'refunded') return applyGatewayRefund(context, order, event);
  const reason = status === 'paid' ? await mismatch(context, order, event) : null;
  if (reason !== null) return { ...(await reconcilePayment(context, event, { orderId, reason })), order };
  const input = {
    event: status,
    by,
    at: now,
    ...(status === 'paid' && at !== null && { paidAt: at }),
    ...(status === 'paid' && fee !== undefined && { fee }),
  } as const;
  const applied = await applyEvent(store, orderId, input, order);
  if (!applied) return null;
  if (applied.changed) return { outcome: 'applied', reason: null, order: applied.order };
  // Another event was faster, so the payment is checked again and not lost.
  if (applied.order.version !== order.version) return null;
  return { ...withoutChange(applied.order, event), order: applied.order };
}

/** Tells whether the order of an event is still being created, so that its reference is not known yet. */
async function isBeingCreated(store: Store, { orderId = null }: PaymentEvent): Promise<boolean> {
  // An event that names no order may belong to any open order.
  if (orderId === null) return (await store.findReservedOrders(1)).length > 0;
  return (await store.findReservedOrder(orderId)) !== null;
}

/** Finds the refunded order with which an operator has settled the payment. */
async function settledOrder(store: Store, { reference, status }: PaymentEvent): Promise<StoredOrder | null> {
  if (status !== 'refunded') return null;
  const [settled] = await store.listReconciliations({ reference, state: 'settled' });
  return settled?.orderId ? store.findOrder(settled.orderId) : null;
}

/** Handles an event with a reference that no order has; null if an operator was faster. */
async function withoutOrder(context: PaymentContext, event: PaymentEvent): Promise<PaymentResult | null> {
  const order = event.orderId ? await context.store.findOrder(event.orderId) : null;
  if (event.status === 'paid') {
    const money = { orderId: order?.orderId ?? null, reason: 'unknown' } as const;
    return { ...(await reconcilePayment(context, event, money)), order };
  }
  const reason = 'No order has this payment reference.';
  const unmatched: PaymentResult = { outcome: 'unmatched', reason, order };
  return event.status === 'refunded' ? applyUnknownRefund(context, event, unmatched) : unmatched;
}

/**
 * Applies a payment event (open points: states). A repeated or contradicting event changes nothing. Money that doesn't match an order is
 * stored for an operator: a late payment, a payment with another amount, a second payment, a payment with an unknown reference, or a
 * repayment for an order that counts as paid.
 */
export async function applyPaymentEvent(
  context: PaymentContext,
  event: PaymentEvent,
): Promise<PaymentResult> {
  const result = await resultOf(context, event);
  context.emit?.({ type: 'payment', payment: event, result });
  return result;
}

async function resultOf(context: PaymentContext, event: PaymentEvent): Promise<PaymentResult> {
  const { store } = context;
  for (;;) {
    const order = (await store.findOrderByReference(event.reference)) ?? (await settledOrder(store, event));
    if (order) {
      const result = await applyToOrder(context, order, event);
      if (result) return result;
    } else if (await isBeingCreated(store, event)) {
      return { outcome: 'failed', reason: 'The order of this payment is still being created.', order };
      // The order may have been created in between.
    } else if (!(await store.findOrderByReference(event.reference))) {
      const result = await withoutOrder(context, event);
      if (result) return result;
    }
  }
}

/**
 * Like {@link applyPaymentEvent}.
 *
 * @returns the order after the event; null if no payment has this reference.
 */
export async function handlePaymentEvent(
  context: PaymentContext,
  event: PaymentEvent,
): Promise<StoredOrder | null> {
  const { order } = await applyPaymentEvent(context, event);
  return order?.payment.reference === event.reference ? order : null;
}
