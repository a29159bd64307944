import type { Reconciliation, Refund, Store, StoredOrder } from '../store/index.ts';
import { applyEvent } from './orders/states.ts';
import {
  type PaymentContext,
  type PaymentEvent,
  type PaymentResult,
  withoutChange,
} from './payment-event.ts';
import { amountReceived, paidByGateway } from './refunds.ts';
import { reconcilePayment } from './unmatched-money.ts';

/** What is stored of an order and of the payments with the reference of an event. */
interface Known {
  order: StoredOrder;
  refunds: readonly Refund[];
  /** What was paid with the reference and fitted no order, and what the gateway paid back of it. */
  payments: readonly Reconciliation[];
  paidBack: readonly Reconciliation[];
}

async function readKnown(store: Store, order: StoredOrder, { reference }: PaymentEvent): Promise<Known> {
  const [refunds, all] = await Promise.all([store.findRefunds(order.orderId), store.listReconciliations()]);
  const [paidBack, payments] = [true, false].map((isBack) =>
    all.filter((one) => one.reference === reference && (one.reason === 'refunded') === isBack),
  );
  return { order, refunds, payments: payments ?? [], paidBack: paidBack ?? [] };
}

const sum = (all: readonly { amount: number }[]): number =>
  all.reduce((total, { amount }) => total + amount, 0);

/** The refunds that the gateway paid. */
const paidRefunds = (refunds: readonly Refund[]): Refund[] =>
  refunds.filter(({ state, closedBy }) => state === 'paid' && closedBy === null);

/** How much of what the gateway paid back by now is known: it reports all of it each time. */
const noticed = ({ refunds, paidBack }: Known): number =>
  sum(paidRefunds(refunds)) +
  // Those that an operator settled are refunds of the order.
  sum(paidBack.filter(({ state }) => state !== 'settled'));

/** What came of a report that says nothing new. */
function repeated({ order, paidBack }: Known, event: PaymentEvent): PaymentResult {
  const last = paidBack.at(-1);
  if (paidBack.some(({ state }) => state === 'open'))
    return { ...withoutChange(order, event), outcome: 'reconciliation', order };
  const reason = last ? `An operator has already recorded it as ${last.state}.` : null;
  return { outcome: 'unchanged', reason, order };
}

/** Has an operator look at money that the gateway paid back. It has the same id each time that it is reported. */
async function reconcileRefund(
  { store, now }: PaymentContext,
  { order, reason }: { order: StoredOrder; reason: string | null },
  event: PaymentEvent & { fresh: number },
): Promise<PaymentResult> {
  await store.addReconciliation({
    reconciliationId: `${event.reference}-${event.amount}-refund`,
    orderId: order.orderId,
    reference: event.reference,
    amount: event.fresh,
    paidAt: event.at ?? now,
    noticedAt: now,
    reason: 'refunded',
    state: 'open',
    note: null,
    closedAt: null,
    closedBy: null,
  });
  return { outcome: 'reconciliation', reason, order };
}

/** What a report of a part says. */
const partly = ({ amount }: PaymentEvent, paid: number): string =>
  `The gateway says that it paid back ${amount} of ${paid}.`;

/** A payment that was paid back before it was noticed pays for nothing any more; what is left of a part waits for an operator. */
async function refundOfUnpaid(
  context: PaymentContext,
  known: Known,
  event: PaymentEvent,
): Promise<PaymentResult | null> {
  const { order, payments } = known;
  const paid = event.paid ?? order.pricing.total_price;
  const left = paid - event.amount;
  const reason = partly(event, paid);
  if (left > 0 && payments.length > 0) {
    // What is left of a part was stored when the part was first reported.
    const rest = payments.find((one) => one.reason === 'amount' && one.amount < paid);
    const fresh = event.amount - noticed(known) - (rest ? paid - rest.amount : 0);
    return fresh > 0
      ? reconcileRefund(context, { order, reason }, { ...event, fresh })
      : repeated(known, event);
  }
  if (left > 0) {
    const money = { ...event, amount: left };
    const stored = await reconcilePayment(context, money, { orderId: order.orderId, reason: 'amount' });
    return { outcome: stored.outcome, reason: stored.reason ?? reason, order };
  }
  if (order.paymentStatus !== 'UNPAID') return { ...withoutChange(order, event), order };
  const { store, now, by = 'gateway' } = context;
  const applied = await applyEvent(store, order.orderId, { event: 'failed', by, at: now }, order);
  if (!applied?.changed) return null;
  const refunded = 'The payment was refunded before the order was paid.';
  return { outcome: 'applied', reason: refunded, order: applied.order };
}

/** Refunds the order by all that the gateway paid back, with what it paid back in parts before. */
async function refundAll(
  { store, now, by = 'gateway' }: PaymentContext,
  { order, refunds, paidBack }: Known,
  event: PaymentEvent,
): ReturnType<typeof applyEvent> {
  const { orderId } = order;
  const units = (await store.findUnits(orderId)).filter(({ state }) => state !== 'delivered');
  const refund = paidByGateway(orderId, refunds.length + 1, {
    amount: event.amount - sum(paidRefunds(refunds)),
    units: units.map(({ unit }) => unit),
    ...{ at: now, operator: null, note: null },
    ...{ reference: event.reference, paidAt: event.at ?? now },
  });
  const input = {
    ...({ event: 'refunded', by, at: now, amount: refund.amount } as const),
    // An order may cost nothing.
    refunds: refund.amount > 0 ? [refund] : [],
    settles: paidBack.flatMap((one) => (one.state === 'open' ? one.reconciliationId : [])),
  };
  return applyEvent(store, orderId, input, order);
}

/**
 * Applies that the gateway paid money of an order back. What an operator was to pay by hand is paid then, if it is the same
 * amount. All of it refunds an order whose delivery failed. Anything else waits for an operator: the customer may be owed more, or
 * have got what was paid for.
 *
 * @returns null when the order was changed in between.
 */
export async function applyGatewayRefund(
  context: PaymentContext,
  order: StoredOrder,
  event: PaymentEvent,
): Promise<PaymentResult | null> {
  const { store, now } = context;
  const known = await readKnown(store, order, event);
  const { refunds } = known;
  if (order.paymentStatus !== 'PAID' && order.paymentStatus !== 'REFUND')
    return refundOfUnpaid(context, known, event);
  // A refund of an earlier version has no record.
  if (order.paymentStatus === 'REFUND' && refunds.length === 0)
    return { outcome: 'unchanged', reason: null, order };
  const fresh = event.amount - noticed(known);
  const open = refunds.find(({ state, amount }) => state === 'to-pay' && amount === fresh);
  if (open) {
    const closing = { reference: event.reference, closedAt: event.at ?? now, closedBy: null };
    const closed = await store.closeRefund({ refundId: open.refundId, state: 'paid', ...closing });
    const reason = `The gateway paid the refund ${open.refundId}.`;
    return 'done' in closed ? { outcome: 'applied', reason, order } : null;
  }
  const received = amountReceived(order, known.payments);
  if (event.amount >= received) {
    const applied = await refundAll(context, known, event);
    if (applied?.changed) return { outcome: 'applied', reason: null, order: applied.order };
    // Another event was faster.
    if (applied?.order.version !== order.version) return null;
  }
  if (fresh <= 0) return repeated(known, event);
  const { reason } = withoutChange(order, event);
  const said = event.amount < received ? partly(event, received) : reason;
  return reconcileRefund(context, { order, reason: said }, { ...event, fresh });
}
