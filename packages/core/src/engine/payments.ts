import type { Actor, Reconciliation, Store, StoredOrder } from '../store/index.ts';
import { applyEvent } from './orders/states.ts';

/** A gateway's report of a payment, after its origin was verified. */
export interface PaymentEvent {
  /** The gateway's reference. */
  reference: string;
  /** The order that the payment was made for, if the gateway names it. */
  orderId?: string | null;
  status: 'paid' | 'failed' | 'expired' | 'refunded';
  /** Integer in the smallest unit. */
  amount: number;
  /**
   * When the payment was made, failed, expired or was refunded, in unix milliseconds of world time; null when the gateway
   * does not tell, so that the moment of the report counts. Two payments with one reference differ by it.
   */
  at: number | null;
}

/** What came of a payment event. */
export interface PaymentResult {
  /** `failed`: the order is still being created, so the event is to be sent again. */
  outcome: 'applied' | 'unchanged' | 'contradiction' | 'reconciliation' | 'unmatched' | 'failed';
  /** Why, as a sentence; null when the outcome says it all. */
  reason: string | null;
  /** The order of the payment, as it is now. */
  order: StoredOrder | null;
  /** Whether the payment was kept for an operator before, so that there is nothing new to tell. */
  isRepeated: boolean;
}

interface PaymentContext {
  store: Store;
  /** World time in unix milliseconds. */
  now: number;
  by?: Actor;
  /** Called once for each event after it was applied, for a log. */
  reportPayment?: ReportPayment | undefined;
}

export type ReportPayment = (event: PaymentEvent, result: PaymentResult) => void;

/**
 * The id of a payment to reconcile, or of its refund. What is reported twice has the same id both times, so it is stored
 * once. If its moment is not known, it has an id without a moment.
 */
const reconciliationId = ({ reference, amount, at, status }: PaymentEvent): string =>
  [reference, amount, at ?? [], status === 'refunded' ? 'refund' : []].flat().join('-');

/** How far the clock of a gateway may be from ours, in milliseconds. */
const clockTolerance = 10 * 60_000;

/** Whether a payment was certainly made after another one, of unknown moment, was noticed: then they are two. */
const isLater = (at: number, noticedAt: number): boolean => at > noticedAt + clockTolerance;

/** Whether a stored payment, or a refund, is the one of an event. When a moment is not known, they are one payment if that is possible. */
function isSamePayment(stored: Reconciliation, event: PaymentEvent): boolean {
  const { reference, amount, at } = event;
  if (stored.reference !== reference || stored.amount !== amount) return false;
  if ((stored.reason === 'refunded') !== (event.status === 'refunded')) return false;
  if (at === null) return true;
  const isMomentKnown = stored.reconciliationId !== reconciliationId({ ...event, at: null });
  return isMomentKnown ? stored.paidAt === at : !isLater(at, stored.noticedAt);
}

/** Stores a payment or a refund for an operator, unless it is stored already. */
async function reconcile(
  { store, now }: PaymentContext,
  event: PaymentEvent,
  { orderId, reason }: Pick<Reconciliation, 'orderId' | 'reason'>,
): Promise<Omit<PaymentResult, 'order'>> {
  const known = (await store.listReconciliations()).find((one) => isSamePayment(one, event));
  if (known && known.state !== 'open')
    return {
      outcome: 'unchanged',
      reason: `An operator has already recorded it as ${known.state}.`,
      isRepeated: true,
    };
  if (!known)
    await store.addReconciliation({
      reconciliationId: reconciliationId(event),
      orderId,
      reference: event.reference,
      amount: event.amount,
      paidAt: event.at ?? now,
      noticedAt: now,
      reason,
      state: 'open',
      note: null,
    });
  return { outcome: 'reconciliation', reason: null, isRepeated: known !== undefined };
}

/** Whether an order that counts as paid was paid by another payment than this one. */
async function isPaidAgain(store: Store, { orderId }: StoredOrder, { at }: PaymentEvent): Promise<boolean> {
  if (at === null) return false;
  const history = await store.findHistory(orderId);
  const first = history.find(({ event }) => event === 'paid' || event === 'settled');
  if (!first) return false;
  // A settled payment is a reconciliation, by which its repetitions are recognised.
  if (first.event === 'settled') return true;
  return first.paidAt === undefined ? isLater(at, first.at) : first.paidAt !== at;
}

/** Why a payment can't be accepted for an order in its state; null when it can, or was. */
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

/** What a payment was reported as, for a sentence. */
const reported = { failed: 'failed', expired: 'expired', refunded: 'was refunded' } as const;

/** What came of an event that changed nothing. */
function withoutChange(
  { paymentStatus, buyStatus }: StoredOrder,
  { status }: PaymentEvent,
): Omit<PaymentResult, 'order'> {
  const agrees =
    status === 'paid' ||
    paymentStatus === 'REFUND' ||
    (status !== 'refunded' && ['EXPIRED', 'FAILED'].includes(paymentStatus));
  if (agrees) return { outcome: 'unchanged', reason: null, isRepeated: false };
  return {
    outcome: 'contradiction',
    isRepeated: false,
    reason: `The gateway says that the payment ${reported[status]}, but the order is ${paymentStatus} / ${buyStatus}.`,
  };
}

/** Applies an event to the order that has its reference; null when the order was changed in between. */
async function applyToOrder(
  context: PaymentContext,
  order: StoredOrder,
  event: PaymentEvent,
): Promise<PaymentResult | null> {
  const { store, now, by = 'gateway' } = context;
  const { orderId } = order;
  const { status, at } = event;
  const reason = status === 'paid' ? await mismatch(context, order, event) : null;
  if (reason !== null) return { ...(await reconcile(context, event, { orderId, reason })), order };
  // Money that was returned before it was noticed pays for nothing any more.
  const isReturnedUnpaid = status === 'refunded' && order.paymentStatus === 'UNPAID';
  const input = {
    event: isReturnedUnpaid ? 'failed' : status,
    by,
    at: now,
    ...(status === 'paid' && at !== null && { paidAt: at }),
  } as const;
  const applied = await applyEvent(store, orderId, input, order);
  if (!applied) return null;
  if (applied.changed) {
    const note = isReturnedUnpaid ? 'The payment was refunded before the order was paid.' : null;
    return { outcome: 'applied', reason: note, order: applied.order, isRepeated: false };
  }
  // Another event was faster. The payment is checked again, so that it is not lost.
  if (applied.order.version !== order.version) return null;
  const result = { ...withoutChange(applied.order, event), order: applied.order };
  if (status !== 'refunded' || order.paymentStatus !== 'PAID') return result;
  const stored = await reconcile(context, event, { orderId, reason: 'refunded' });
  return { ...result, ...stored, reason: stored.reason ?? result.reason };
}

/** Whether the order of an event is being created, so that its reference is not known yet. */
async function isBeingCreated(store: Store, { orderId = null }: PaymentEvent): Promise<boolean> {
  const reserved = await store.findReservedOrders(Number.MAX_SAFE_INTEGER);
  // When the event names no order, it may be any of them.
  return reserved.some((one) => orderId === null || one.orderId === orderId);
}

/** What becomes of an event whose reference no order has. */
async function withoutOrder(context: PaymentContext, event: PaymentEvent): Promise<PaymentResult> {
  const order = event.orderId ? await context.store.findOrder(event.orderId) : null;
  if (event.status !== 'paid')
    return {
      outcome: 'unmatched',
      reason: 'No order has this payment reference.',
      order,
      isRepeated: false,
    };
  const money = { orderId: order?.orderId ?? null, reason: 'unknown' } as const;
  return { ...(await reconcile(context, event, money)), order };
}

/**
 * Applies a payment event (open points: states). A repeated or contradicting event changes nothing. Money that fits no
 * order, or not as it is, is stored for an operator: it came too late, in another amount, a second time, or for a
 * reference that no order has; or it was paid back although the order counts as paid.
 */
export async function applyPaymentEvent(
  context: PaymentContext,
  event: PaymentEvent,
): Promise<PaymentResult> {
  const result = await resultOf(context, event);
  context.reportPayment?.(event, result);
  return result;
}

async function resultOf(context: PaymentContext, event: PaymentEvent): Promise<PaymentResult> {
  const { store } = context;
  for (;;) {
    const order = await store.findOrderByReference(event.reference);
    if (order) {
      const result = await applyToOrder(context, order, event);
      if (result) return result;
    } else if (await isBeingCreated(store, event)) {
      const reason = 'The order of this payment is still being created.';
      return { outcome: 'failed', reason, order, isRepeated: false };
      // It may have been created in between.
    } else if (!(await store.findOrderByReference(event.reference))) {
      return withoutOrder(context, event);
    }
  }
}

/**
 * Like {@link applyPaymentEvent}.
 *
 * @returns the order after the event; null when no payment has this reference.
 */
export async function handlePaymentEvent(
  context: PaymentContext,
  event: PaymentEvent,
): Promise<StoredOrder | null> {
  const { order } = await applyPaymentEvent(context, event);
  return order?.payment.reference === event.reference ? order : null;
}
