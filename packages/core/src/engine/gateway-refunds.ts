import type { Reconciliation, Refund, Store, StoredOrder } from '../store/index.ts';
import type { PaymentEvent, PaymentResult } from './events.ts';
import { applyEvent } from './orders/change-order.ts';
import {
  addReconciliation,
  type PaymentContext,
  reconcilePayment,
  recordedAs,
  withoutChange,
} from './payment-event.ts';
import { amountReceived, paidByGateway, sum } from './refunds.ts';

/** Stored data about an order and the payments with an event's reference. */
interface Known {
  refunds: readonly Refund[];
  /** Payments with the reference that match no order, and the gateway's repayments of them. */
  payments: readonly Reconciliation[];
  paidBack: readonly Reconciliation[];
}

async function readKnown(
  store: Store,
  { reference }: PaymentEvent,
  orderId: string | null = null,
): Promise<Known> {
  const [refunds, all] = await Promise.all([
    orderId === null ? [] : store.findRefunds(orderId),
    store.listReconciliations({ reference }),
  ]);
  const isBack = ({ reason }: Reconciliation): boolean => reason === 'refunded';
  return { refunds, payments: all.filter((payment) => !isBack(payment)), paidBack: all.filter(isBack) };
}

const paidRefunds = (refunds: readonly Refund[]): Refund[] =>
  refunds.filter(({ state, closedBy }) => state === 'paid' && closedBy === null);

/** Returns the known part of the gateway's repayments. A gateway always reports the total. */
const noticed = ({ refunds, paidBack }: Known): number =>
  sum(paidRefunds(refunds)) +
  // Reports that an operator has settled count as refunds of the order.
  sum(paidBack.filter(({ state }) => state !== 'settled'));

/** Returns the amount that was paid back before the payment was noticed. Only the rest of the payment is stored. */
const paidBackBefore = ({ payments }: Known, paid: number): number =>
  Math.max(0, ...payments.map(({ amount }) => paid - amount));

/** Returns the result for a report that changes nothing. */
function repeated({ paidBack }: Known, order: StoredOrder | null, event: PaymentEvent): PaymentResult {
  const last = paidBack.at(-1);
  if (paidBack.some(({ state }) => state === 'open'))
    return { outcome: 'reconciliation', reason: order && withoutChange(order, event).reason, order };
  return { outcome: 'unchanged', reason: last ? recordedAs(last) : null, order };
}

/**
 * Stores a repayment by the gateway, for an operator. The id contains the amount known for the reference, so that only one of two
 * simultaneous reports is stored.
 *
 * @returns null if another report was faster, which may include this one.
 */
async function reconcileRefund(
  context: PaymentContext,
  { paidBack }: Known,
  { order, reason }: { order: StoredOrder | null; reason: string | null },
  event: PaymentEvent & { fresh: number },
): Promise<PaymentResult | null> {
  const reconciliationId = `${event.reference}-refund-${paidBack.length + 1}`;
  const orderId = order?.orderId ?? null;
  const money = { ...event, amount: event.fresh };
  await addReconciliation(context, money, { reconciliationId, orderId, reason: 'refunded' });
  const [stored] = await context.store.listReconciliations({ reconciliationId });
  // A dry run stores nothing.
  return stored && stored.amount !== event.fresh ? null : { outcome: 'reconciliation', reason, order };
}

/** Writes the sentence for a partial repayment. */
const partly = ({ amount }: PaymentEvent, paid: number): string =>
  `The gateway reported that it paid back ${amount} of ${paid}.`;

/** Handles a payment that pays for no order and was paid back completely, so that nobody can settle it any more. */
async function returnWaiting(
  { store, now }: PaymentContext,
  { payments, paidBack }: Known,
  event: PaymentEvent,
  otherwise: PaymentResult,
): Promise<PaymentResult | null> {
  const [payment, ...others] = payments;
  // With two payments, it is unclear which of them was paid back.
  if (!payment || others.length > 0 || payment.amount > event.amount) return otherwise;
  // A refund from before this payment belongs to another payment.
  if (event.at !== null && event.at < payment.paidAt) return otherwise;
  if (payment.state !== 'open') return { ...otherwise, outcome: 'unchanged', reason: recordedAs(payment) };
  const closing = { closedAt: event.at ?? now, closedBy: null };
  // The payment is closed last, so that repeating an interrupted step completes it.
  for (const { reconciliationId } of [...paidBack.filter(({ state }) => state === 'open'), payment]) {
    const closed = await store.returnReconciliation(reconciliationId, 'The gateway paid it back.', closing);
    if (!('done' in closed)) return null;
  }
  return {
    ...otherwise,
    outcome: 'applied',
    reason: 'The gateway paid back this payment before an operator decided about it.',
  };
}

/**
 * Handles a payment that pays for no order and was paid back partly or completely.
 *
 * @param otherwise - the result if the repayment is unknown and nothing of it remains
 * @returns null if an operator has closed it in between.
 */
async function refundOfWaiting(
  context: PaymentContext,
  known: Known,
  event: PaymentEvent & { paid: number },
  { reason, otherwise }: { reason: Reconciliation['reason']; otherwise: PaymentResult },
): Promise<PaymentResult | null> {
  const { order } = otherwise;
  const { paid, amount } = event;
  if (amount >= paid) return returnWaiting(context, known, event, otherwise);
  const said = partly(event, paid);
  if (known.payments.length > 0) {
    const fresh = amount - noticed(known) - paidBackBefore(known, paid);
    return fresh > 0
      ? reconcileRefund(context, known, { order, reason: said }, { ...event, fresh })
      : repeated(known, order, event);
  }
  const money = { orderId: order?.orderId ?? null, reason };
  const stored = await reconcilePayment(context, { ...event, amount: paid - amount }, money);
  return { outcome: stored.outcome, reason: stored.reason ?? said, order };
}

/** Handles a payment that was paid back before it was noticed, and so doesn't pay for its order. */
async function refundOfUnpaid(
  context: PaymentContext,
  order: StoredOrder,
  known: Known,
  event: PaymentEvent,
): Promise<PaymentResult | null> {
  const paid = event.paid ?? order.pricing.total_price;
  const otherwise = { ...withoutChange(order, event), order };
  const about = { reason: 'amount', otherwise } as const;
  const closeWaiting = (now: Known) => refundOfWaiting(context, now, { ...event, paid }, about);
  if (event.amount < paid || order.paymentStatus !== 'UNPAID') return closeWaiting(known);
  const { store, now, by = 'gateway' } = context;
  // The order is closed first. If another payment was faster, the waiting payment may not be the one that was paid back.
  const input = { event: 'failed', by, at: now, ...(event.fee !== undefined && { fee: event.fee }) } as const;
  const applied = await applyEvent(store, order.orderId, input, order);
  if (!applied?.changed) return null;
  // A report of the payment may have been stored in between, so it is closed as well.
  if (!(await closeWaiting(await readKnown(store, event, order.orderId)))) return null;
  const reason = 'The payment was refunded before the order was paid.';
  return { outcome: 'applied', reason, order: applied.order };
}

/**
 * Applies a refund by the gateway with a reference that no order has.
 *
 * @param otherwise - the result if the repayment is unknown and nothing of it remains; contains the order in the event
 * @returns null if an operator has closed it in between.
 */
export async function applyUnknownRefund(
  context: PaymentContext,
  event: PaymentEvent,
  otherwise: PaymentResult,
): Promise<PaymentResult | null> {
  // Other refunds of the order belong to its own payment.
  const known = await readKnown(context.store, event);
  const paid = event.paid ?? known.payments[0]?.amount ?? event.amount;
  return refundOfWaiting(context, known, { ...event, paid }, { reason: 'unknown', otherwise });
}

/** Refunds the order's total repayment by the gateway, including earlier parts. */
async function refundAll(
  { store, now, by = 'gateway' }: PaymentContext,
  order: StoredOrder,
  { refunds, paidBack }: Known,
  event: PaymentEvent,
): ReturnType<typeof applyEvent> {
  const { orderId } = order;
  const units = (await store.findUnits(orderId)).filter(({ state }) => state !== 'delivered');
  const refund = paidByGateway(orderId, refunds.length + 1, {
    amount: event.amount - sum(paidRefunds(refunds)),
    units: units.map(({ unit }) => unit),
    at: now,
    operator: null,
    note: null,
    reference: event.reference,
    paidAt: event.at ?? now,
  });
  const input = {
    ...({ event: 'refunded', by, at: now, amount: refund.amount } as const),
    // A free order has no refund.
    refunds: refund.amount > 0 ? [refund] : [],
    settles: paidBack.flatMap((payment) => (payment.state === 'open' ? payment.reconciliationId : [])),
  };
  return applyEvent(store, orderId, input, order);
}

/** Tells whether an earlier version refunded an order. Such a refund has no amount, and was for the whole payment. */
const isOfEarlierVersion = async (store: Store, { orderId }: StoredOrder): Promise<boolean> =>
  (await store.findHistory(orderId)).every(
    ({ event, amount }) => event !== 'refunded' || amount === undefined,
  );

/**
 * Applies a refund of an order by the gateway. If an operator should pay a refund of the same amount by hand, it counts as paid. A full
 * refund closes an order whose delivery failed. An operator must handle any other refund, because the shop may owe the customer more, or
 * may have delivered the order.
 *
 * @returns null if the order was changed in between.
 */
export async function applyGatewayRefund(
  context: PaymentContext,
  order: StoredOrder,
  event: PaymentEvent,
): Promise<PaymentResult | null> {
  const { store, now } = context;
  const known = await readKnown(store, event, order.orderId);
  const { refunds, payments } = known;
  if (order.paymentStatus !== 'PAID' && order.paymentStatus !== 'REFUND')
    return refundOfUnpaid(context, order, known, event);
  // Refunds by earlier versions have no record. Nor has a refund of 0, so later repayments are new refunds.
  const isRecorded = order.paymentStatus !== 'REFUND' || refunds.length > 0;
  if (!isRecorded && (await isOfEarlierVersion(store, order)))
    return { outcome: 'unchanged', reason: null, order };
  const before = paidBackBefore(known, event.paid ?? 0);
  const amount = event.amount - before;
  const fresh = amount - noticed(known);
  const received = amountReceived(order, payments);
  // With two payments that have the same reference, it is unclear which of them was paid back.
  const isPaidTwice = payments.some(({ state }) => state !== 'settled');
  const open = refunds.find((refund) => refund.state === 'to-pay' && refund.amount === fresh);
  if (open && !isPaidTwice) {
    const closing = { reference: event.reference, closedAt: event.at ?? now, closedBy: null };
    const closed = await store.closeRefund({ refundId: open.refundId, state: 'paid', ...closing });
    const reason = `The gateway paid the refund ${open.refundId}.`;
    return 'done' in closed ? { outcome: 'applied', reason, order } : null;
  }
  if (amount >= received && !isPaidTwice) {
    const applied = await refundAll(context, order, known, { ...event, amount });
    if (applied?.changed) return { outcome: 'applied', reason: null, order: applied.order };
    // Another event was faster.
    if (applied?.order.version !== order.version) return null;
  }
  if (fresh <= 0) return repeated(known, order, event);
  const { reason } = withoutChange(order, event);
  const said = amount < received ? partly(event, received + before) : reason;
  return reconcileRefund(context, known, { order, reason: said }, { ...event, fresh });
}
