import type { Localised } from '../../contract/index.ts';
import { DomainError, type Formats, OperatorError } from '../../engine/errors.ts';
import { erasedError } from '../../engine/operator-plans.ts';
import { dryRun, type OperatorDependencies } from '../../engine/operators.ts';
import { isAllowed, stateConflict } from '../../engine/orders/states.ts';
import type { CloseRefund, Reconciliation, Refund, Store, StoredOrder } from '../../store/index.ts';
import { gatewayWords, refundStateWords } from './words.ts';

/** The error for a payment to reconcile or a refund that can't be closed. */
export class ClosingError extends OperatorError {
  override readonly name = 'ClosingError';
  /** A stable code for programs. */
  readonly code:
    | 'RECONCILIATION_NOT_FOUND'
    | 'RECONCILIATION_CLOSED'
    | 'RECONCILIATION_REFUNDED'
    | 'RECONCILIATION_WITHOUT_ORDER'
    | 'RECONCILIATION_OF_OTHER_ORDER'
    | 'REFUND_NOT_FOUND'
    | 'REFUND_CLOSED';
  readonly words: (show: Formats) => Localised;
  /** The payment, if the error concerns one. */
  readonly payment: Reconciliation | null;

  constructor(
    code: ClosingError['code'],
    words: ClosingError['words'],
    payment: Reconciliation | null = null,
  ) {
    super(code);
    this.code = code;
    this.words = words;
    this.payment = payment;
  }
}

/** Returns the error that prevents recording a payment as returned now; null if it is possible. */
export function returnRefusal(payment: Reconciliation): Error | null {
  const { reconciliationId, state } = payment;
  if (state === 'open') return null;
  const words = {
    id: `Pembayaran ${reconciliationId} sudah ${state === 'settled' ? 'dihitung sebagai pembayaran' : 'dikembalikan'}.`,
    en: `The payment ${reconciliationId} is already ${state}.`,
  };
  return new ClosingError('RECONCILIATION_CLOSED', () => words);
}

/**
 * Returns the error that prevents settling a payment now; null if it is possible. `order` is the payment's order, or the order that the
 * operator names for a payment without a known order; null if no order is known yet.
 */
export function settlementRefusal(payment: Reconciliation, order: StoredOrder | null): Error | null {
  const closed = returnRefusal(payment);
  if (closed) return closed;
  const { reconciliationId, orderId, reason } = payment;
  // A repayment is outgoing money, so it can't pay for an order.
  if (reason === 'refunded') {
    const words = {
      id: `Gateway sudah mengembalikan pembayaran ${reconciliationId}, jadi tidak ada uang untuk membayar ${orderId ?? 'pesanan'}.`,
      en: `The gateway paid ${reconciliationId} back, so there is no money to settle ${orderId ?? 'an order'} with.`,
    };
    return new ClosingError('RECONCILIATION_REFUNDED', () => words, payment);
  }
  if (!order) return orderId === null ? null : new DomainError('INVOICE_NOT_FOUND');
  return isAllowed(order, 'settled') ? erasedError(order) : stateConflict(order);
}

/** Returns the error that prevents recording a refund as paid or cancelled now; null if it is possible. */
export function refundRefusal({ refundId, state, reference, closedBy, closedAt }: Refund): Error | null {
  if (state === 'to-pay') return null;
  return new ClosingError('REFUND_CLOSED', ({ time }) => {
    const when = closedAt === null ? '' : `, ${time(closedAt)}`;
    const [dengan, under] = state === 'paid' ? [`, dengan ${reference}`, `, under ${reference}`] : ['', ''];
    return {
      id: `Pengembalian dana ${refundId} ${refundStateWords[state].id} oleh ${closedBy ?? gatewayWords.id}${when}${dengan}.`,
      en: `The refund ${refundId} is already ${state} by ${closedBy ?? gatewayWords.en}${when}${under}.`,
    };
  });
}

/** A payment to reconcile, and its possible actions. */
export interface ListedReconciliation {
  payment: Reconciliation;
  canSettle: boolean;
  canReturn: boolean;
}

/** Adds the possible actions to payments. It needs one query for any number of payments. */
export async function withActions(
  store: Pick<Store, 'findOrders'>,
  payments: readonly Reconciliation[],
): Promise<ListedReconciliation[]> {
  const orders = await store.findOrders([...new Set(payments.flatMap(({ orderId }) => orderId ?? []))]);
  const byId = new Map(orders.map((order) => [order.orderId, order]));
  return payments.map((payment) => ({
    payment,
    canSettle: settlementRefusal(payment, byId.get(payment.orderId ?? '') ?? null) === null,
    canReturn: returnRefusal(payment) === null,
  }));
}

/** @throws ClosingError RECONCILIATION_NOT_FOUND */
export async function findPayment(store: Store, reconciliationId: string): Promise<Reconciliation> {
  const [payment] = await store.listReconciliations({ reconciliationId });
  if (payment) return payment;
  throw new ClosingError('RECONCILIATION_NOT_FOUND', () => ({
    id: `Tidak ada pembayaran ${reconciliationId} untuk dicocokkan.`,
    en: `There is no payment ${reconciliationId} to reconcile.`,
  }));
}

/**
 * Records that a payment was returned to the customer, or how a refund by the gateway was handled.
 *
 * @throws ClosingError RECONCILIATION_NOT_FOUND or RECONCILIATION_CLOSED.
 */
export async function returnPayment(
  deps: OperatorDependencies,
  reconciliationId: string,
  note: string,
): Promise<Reconciliation> {
  const { store, worldClock, operator } = deps;
  const payment = await findPayment(store, reconciliationId);
  const refusal = returnRefusal(payment);
  if (refusal) throw refusal;
  const closing = { closedAt: worldClock(), closedBy: operator };
  const result = await store.returnReconciliation(reconciliationId, note, closing);
  if ('done' in result) return { ...payment, ...closing, state: 'returned', note };
  // Another operator was faster, so this throws the matching error.
  await returnPayment(dryRun(deps), reconciliationId, note);
  throw new Error(`${reconciliationId}: ${result.conflict}`);
}

/**
 * Records that an operator has paid a refund, with a reference, or that it isn't owed, with the reason.
 *
 * @throws ClosingError REFUND_NOT_FOUND or REFUND_CLOSED.
 */
export async function closeRefund(
  deps: OperatorDependencies,
  ending: Pick<CloseRefund, 'refundId' | 'state' | 'reference'>,
): Promise<Refund> {
  const { store, worldClock, operator } = deps;
  const { refundId } = ending;
  // The id of a refund starts with the id of its order.
  const refunds = await store.findRefunds(refundId.replace(/-R\d+$/, ''));
  const refund = refunds.find((candidate) => candidate.refundId === refundId);
  if (!refund)
    throw new ClosingError('REFUND_NOT_FOUND', () => ({
      id: `Tidak ada pengembalian dana ${refundId}.`,
      en: `There is no refund ${refundId}.`,
    }));
  const refusal = refundRefusal(refund);
  if (refusal) throw refusal;
  const closing = { ...ending, closedAt: worldClock(), closedBy: operator };
  const result = await store.closeRefund(closing);
  if ('done' in result) return { ...refund, ...closing };
  await closeRefund(dryRun(deps), ending);
  throw new Error(`${refundId}: ${result.conflict}`);
}
