import type { Clock } from '../platform/index.ts';
import {
  type ChangeOrder,
  done,
  type Refund,
  type RevokedItem,
  type Store,
  type StoredOrder,
} from '../store/index.ts';
import { DomainError } from './errors.ts';
import {
  erasedError,
  type MarkOrderInput,
  type OperatorCommand,
  planOf,
  type RefundOrder,
  type RetryOrder,
  type Subject,
  UnitsError,
} from './operator-plans.ts';
import { changed, changeOrder, serialNumbers, unitsChange, withChanged } from './orders/change-order.ts';
import { isAllowed, stateConflict } from './orders/states.ts';
import {
  AmountError,
  amountToPay,
  type RefundBalance,
  type RefundRecords,
  readRefundRecords,
  refundBalance,
} from './refunds.ts';

/** Dependencies of operators' commands, which change orders directly in the store. A running server then does the due work. */
export interface OperatorDependencies {
  store: Store;
  /** World time in unix milliseconds: real time plus the store's `readWorldOffset()`. */
  worldClock: Clock;
  /** The operator's name, for the history. */
  operator: string;
  /** The version of the order that the operator saw; by default, any version is accepted. */
  seenVersion?: number | undefined;
}

/** Returns a store whose orders and money never change. */
export const unchanging = (store: Store): Store => ({
  ...store,
  changeOrder: async () => done,
  closeRefund: async () => done,
  returnReconciliation: async () => done,
});

/** Prepares a dry run: commands return or throw as usual, but change nothing. */
export const dryRun = (deps: OperatorDependencies): OperatorDependencies => ({
  ...deps,
  store: unchanging(deps.store),
});

/** The error for an order that has changed since the operator saw it, perhaps because the command was sent twice. */
export class OrderChangedError extends Error {
  override readonly name = 'OrderChangedError';
}

const events = { refund: 'refunded', retry: 'retried', mark: 'marked' } as const;

/** Plans the change of a command; throws if the order or its units don't allow it. */
function planCommand(subject: Subject, command: OperatorCommand): ChangeOrder {
  const { order, units, at, operator } = subject;
  const isRefundedAgain = command.does === 'refund' && order.paymentStatus === 'REFUND';
  if (!isRefundedAgain && !isAllowed(order, events[command.does])) throw stateConflict(order);
  const erased = command.does === 'retry' ? erasedError(order) : null;
  if (erased) throw erased;
  const { event, to, units: changed, entry, refunds } = planOf(subject, command);
  const { paymentStatus, buyStatus } = order;
  return {
    orderId: order.orderId,
    version: order.version,
    to,
    entry: { at, event, by: 'operator', operator, from: { paymentStatus, buyStatus }, to, ...entry },
    promo: 'keep',
    units: changed,
    serialNumber: serialNumbers(withChanged(units, changed)),
    ...(refunds ?? { settles: [], refunds: [] }),
  };
}

/** Example commands of each kind. If a kind of command is possible, at least one of its examples is. */
const attempts: Record<OperatorCommand['does'], readonly OperatorCommand[]> = {
  retry: [{ does: 'retry' }],
  // Nothing is owed for a delivered order, so the operator must give the amount.
  refund: [{ does: 'refund' }, { does: 'refund', amount: 'all' }],
  mark: [
    { does: 'mark', outcome: 'delivered', note: '' },
    { does: 'mark', outcome: 'failed', note: '' },
  ],
};

/** Returns the error that a command on an order would throw now, whatever its input; null if the command is possible. */
export function commandRefusal(
  subject: RefundRecords & Pick<Subject, 'order'>,
  does: OperatorCommand['does'],
): DomainError | UnitsError | AmountError | null {
  let refusal: ReturnType<typeof commandRefusal> = null;
  for (const command of attempts[does]) {
    try {
      planCommand({ ...subject, at: 0, operator: '' }, command);
      return null;
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof UnitsError || error instanceof AmountError))
        throw error;
      refusal ??= error;
    }
  }
  return refusal;
}

async function readOrder(
  { store, seenVersion }: OperatorDependencies,
  orderId: string,
): Promise<StoredOrder> {
  const order = await store.findOrder(orderId);
  if (!order) throw new DomainError('INVOICE_NOT_FOUND');
  if (seenVersion !== undefined && seenVersion !== order.version)
    throw new OrderChangedError(`${orderId} was changed in the meantime.`);
  return order;
}

async function readSubject(deps: OperatorDependencies, orderId: string): Promise<Subject> {
  const order = await readOrder(deps, orderId);
  const { store, worldClock, operator } = deps;
  return { order, ...(await readRefundRecords(store, order)), at: worldClock(), operator };
}

export interface RefundedOrder {
  order: StoredOrder;
  /** The balance before the refund. */
  balance: RefundBalance;
  /** The amount to pay back in total, and its new part: integers in the smallest unit. */
  amount: number;
  refunds: readonly Refund[];
  /** The part of the amount that an operator must pay by hand. */
  toPay: number;
}

const refunded = (subject: Subject, order: StoredOrder, change: ChangeOrder): RefundedOrder => ({
  order,
  balance: refundBalance(subject.order, subject),
  amount: change.entry?.amount ?? 0,
  refunds: change.refunds,
  toPay: amountToPay(change.refunds),
});

/**
 * Carries out a command.
 *
 * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state; UnitsError if a unit prevents the command;
 * OrderChangedError if the order's version is not the one that the operator saw.
 */
async function perform(
  deps: OperatorDependencies,
  orderId: string,
  command: OperatorCommand,
): Promise<{ subject: Subject; change: ChangeOrder; order: StoredOrder }> {
  const read = (): Promise<Subject> => readSubject(deps, orderId);
  const plan = (subject: Subject) => ({ subject, change: planCommand(subject, command) });
  const { subject, change } = await changeOrder(deps.store, read, plan);
  return { subject, change, order: changed(subject.order, change) };
}

/**
 * Refunds a paid order: the amount for undelivered units, unless an amount is given. A delivered order needs an amount, and stays PAID /
 * Sukses. Any other order becomes REFUND / Gagal. It must have failed, or have no unit submitted to a supplier. Repayments by the gateway
 * count as a part of the refund, and an operator pays the rest by hand.
 *
 * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state; UnitsError if the supplier may have delivered something;
 * AmountError; OrderChangedError if the order's version is not the one that the operator saw.
 */
export async function refundOrder(
  deps: OperatorDependencies,
  orderId: string,
  refund: RefundOrder = {},
): Promise<RefundedOrder> {
  const { subject, order, change } = await perform(deps, orderId, { does: 'refund', ...refund });
  return refunded(subject, order, change);
}

/**
 * Returns the amounts that were paid for an order, were paid back, and are owed.
 *
 * @throws DomainError INVOICE_NOT_FOUND.
 */
export async function readRefundBalance(deps: OperatorDependencies, orderId: string): Promise<RefundBalance> {
  const subject = await readSubject(deps, orderId);
  return refundBalance(subject.order, subject);
}

/**
 * Gives an order's failed units a new attempt, and submits units that wait for the balance or the supplier. Units with an unknown or
 * contradicted outcome are never bought again.
 *
 * @throws like {@link refundOrder}; UnitsError if there is no unit to retry.
 */
export const retryOrder = async (
  deps: OperatorDependencies,
  orderId: string,
  retry: RetryOrder = {},
): Promise<StoredOrder> => (await perform(deps, orderId, { does: 'retry', ...retry })).order;

/**
 * Records an operator's findings about a delivery, for the units without a clear outcome: open, unknown or contradicted. If all outcomes
 * are clear, it corrects the units with the other outcome.
 *
 * @throws like {@link refundOrder}; UnitsError if there is no unit to mark.
 */
export async function markOrder(
  deps: OperatorDependencies,
  orderId: string,
  mark: MarkOrderInput,
): Promise<{
  order: StoredOrder /** The units that counted as delivered, and that a retry buys again. */;
  revoked: RevokedItem[];
}> {
  const { order, change } = await perform(deps, orderId, { does: 'mark', ...mark });
  return { order, revoked: change.entry?.revoked ?? [] };
}

/**
 * Adds an operator's note to an order's history, in any state.
 *
 * @throws DomainError INVOICE_NOT_FOUND; OrderChangedError like {@link refundOrder}.
 */
export async function noteOrder(
  deps: OperatorDependencies,
  orderId: string,
  note: string,
): Promise<StoredOrder> {
  const { store, worldClock, operator } = deps;
  const plan = (order: StoredOrder) => {
    const unchanged = unitsChange({ order }, []);
    const { to } = unchanged;
    const entry = { at: worldClock(), event: 'noted', by: 'operator', operator, from: to, to, note } as const;
    return { order, change: { ...unchanged, entry } };
  };
  const { order, change } = await changeOrder(store, () => readOrder(deps, orderId), plan);
  return changed(order, change);
}
