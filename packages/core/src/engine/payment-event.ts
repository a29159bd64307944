import {
  type CheckPayment,
  type CheckPaymentRequest,
  type PaymentReport,
  readPaymentReport,
} from '../gateway/index.ts';
import type { Actor, Done, Reconciliation, Store, StoredOrder } from '../store/index.ts';
import type { EmitEvent, PaymentEvent, PaymentResult } from './events.ts';
import { askGateway } from './waiting.ts';

export interface PaymentContext {
  store: Store;
  /** World time in unix milliseconds. */
  now: number;
  by?: Actor;
  emit?: EmitEvent | undefined;
}

/** Requests a payment's state from a gateway. */
export const askForReport = async (
  check: CheckPayment,
  payment: CheckPaymentRequest,
): Promise<PaymentReport> => readPaymentReport(await askGateway((signal) => check(payment, signal)));

/** Words for reported statuses in a sentence. */
const reported = { failed: 'failed', expired: 'expired', refunded: 'was refunded' } as const;

/** Returns the result for an event that changes nothing. */
export function withoutChange(
  { paymentStatus, buyStatus }: StoredOrder,
  { status }: PaymentEvent,
): Pick<PaymentResult, 'outcome' | 'reason'> {
  const agrees =
    status === 'paid' ||
    paymentStatus === 'REFUND' ||
    (status !== 'refunded' && ['EXPIRED', 'FAILED'].includes(paymentStatus));
  if (agrees) return { outcome: 'unchanged', reason: null };
  return {
    outcome: 'contradiction',
    reason: `The gateway reported that the payment ${reported[status]}, but the order is ${paymentStatus} / ${buyStatus}.`,
  };
}

/**
 * Creates the id of a payment to reconcile. Repeated reports have the same id, so that they are stored once. If the time of the payment is
 * unknown, the id contains no time.
 */
const reconciliationId = ({ reference, amount, at }: PaymentEvent): string =>
  [reference, amount, at ?? []].flat().join('-');

/** Maximum difference between a gateway's clock and ours, in milliseconds. */
const clockTolerance = 10 * 60_000;

/** Tells whether a payment was certainly made after another one with an unknown time was noticed, so that they are two payments. */
export const isLater = (at: number, noticedAt: number): boolean => at > noticedAt + clockTolerance;

/** Tells whether an event concerns a stored payment. If a time is unknown, they count as the same payment whenever possible. */
function isSamePayment(stored: Reconciliation, event: PaymentEvent): boolean {
  const { reference, amount, at } = event;
  if (stored.reference !== reference || stored.amount !== amount) return false;
  if (stored.reason === 'refunded') return false;
  if (at === null) return true;
  const isMomentKnown = stored.reconciliationId !== reconciliationId({ ...event, at: null });
  return isMomentKnown ? stored.paidAt === at : !isLater(at, stored.noticedAt);
}

/** Explains why a report of a closed reconciliation changes nothing. */
export const recordedAs = ({ state }: Reconciliation): string => `It is already recorded as ${state}.`;

/** Stores money to reconcile, for an operator. */
export const addReconciliation = (
  { store, now }: PaymentContext,
  { reference, amount, at, fee }: Pick<PaymentEvent, 'reference' | 'amount' | 'at' | 'fee'>,
  about: Pick<Reconciliation, 'reconciliationId' | 'orderId' | 'reason'>,
): Promise<Done> =>
  store.addReconciliation({
    ...about,
    reference,
    amount,
    fee: about.reason === 'refunded' ? null : (fee ?? null),
    paidAt: at ?? now,
    noticedAt: now,
    state: 'open',
    note: null,
    closedAt: null,
    closedBy: null,
  });

/** Stores a payment to reconcile, unless it is stored already. */
export async function reconcilePayment(
  { store, now }: PaymentContext,
  event: PaymentEvent,
  { orderId, reason }: Pick<Reconciliation, 'orderId' | 'reason'>,
): Promise<Omit<PaymentResult, 'order'>> {
  const known = (await store.listReconciliations({ reference: event.reference })).find((stored) =>
    isSamePayment(stored, event),
  );
  if (known && known.state !== 'open')
    return { outcome: 'unchanged', reason: recordedAs(known), isRepeated: true };
  if (!known)
    await addReconciliation({ store, now }, event, {
      reconciliationId: reconciliationId(event),
      orderId,
      reason,
    });
  return { outcome: 'reconciliation', reason: null, ...(known && { isRepeated: true }) };
}
