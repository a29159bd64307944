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
  type Mark,
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

/** Operators change orders directly in the store; a running server then does the due work. */
export interface OperatorDependencies {
  store: Store;
  /** World time in unix milliseconds: real time plus the store's `readWorldOffset()`. */
  worldClock: Clock;
  /** The operator's name, for the history. */
  operator: string;
  /** The version of the order that the operator decided by; left out, any. */
  seenVersion?: number | undefined;
}

/** Returns a store whose orders and money stay as they are. */
export const unchanging = (store: Store): Store => ({
  ...store,
  changeOrder: async () => done,
  closeRefund: async () => done,
  returnReconciliation: async () => done,
});

/** Returns the same for a dry run: a command then returns what it would do, or throws what it would throw, and changes nothing. */
export const dryRun = (deps: OperatorDependencies): OperatorDependencies => ({
  ...deps,
  store: unchanging(deps.store),
});

/** The order is not what the operator decided by: it changed, perhaps because the same command was sent twice. */
export class OrderChangedError extends Error {
  override readonly name = 'OrderChangedError';
}

const events = { refund: 'refunded', retry: 'retried', mark: 'marked' } as const;

/** The change that a command makes; throws when the order or its units don't allow it. */
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

/** Commands of a kind of which one is possible whenever any is, whatever it says. */
const attempts: Record<OperatorCommand['does'], readonly OperatorCommand[]> = {
  retry: [{ does: 'retry' }],
  // Nothing is owed of a delivered order, so its operator says how much.
  refund: [{ does: 'refund' }, { does: 'refund', amount: 'all' }],
  mark: [
    { does: 'mark', outcome: 'delivered', note: '' },
    { does: 'mark', outcome: 'failed', note: '' },
  ],
};

/** Returns why an operator's command on an order is not possible now, whatever it says; null if it is. It is what the command throws. */
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

/** An order as a refund leaves it. */
export interface RefundedOrder {
  order: StoredOrder;
  /** As it was before. */
  balance: RefundBalance;
  /** What goes back, in integers of the smallest unit: all of it, and what of it is new. */
  amount: number;
  refunds: readonly Refund[];
  /** What of it an operator has to pay by hand. */
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
 * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state; UnitsError when a unit is in the way;
 * OrderChangedError when the order has another version than the one that was seen.
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
 * Refunds a paid order: what was not delivered, unless another amount is given. A delivered order needs an amount, and stays PAID /
 * Sukses; any other becomes REFUND / Gagal, and must have failed, or have nothing submitted to the supplier yet. What the gateway has already paid back is a part of it, and the rest waits to be paid by hand.
 *
 * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state; UnitsError when the supplier may have
 * delivered something; AmountError; OrderChangedError when the order has another version than the one that was seen.
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
 * Returns what was paid for an order, what went back and what is owed.
 *
 * @throws DomainError INVOICE_NOT_FOUND.
 */
export async function readRefundBalance(deps: OperatorDependencies, orderId: string): Promise<RefundBalance> {
  const subject = await readSubject(deps, orderId);
  return refundBalance(subject.order, subject);
}

/**
 * Starts the delivery of an order's failed units again, with a new attempt, and tries those now that wait for the balance or until the
 * supplier takes them. Units of unknown or contradicted outcome are never bought again.
 *
 * @throws like {@link refundOrder}; UnitsError when there is no unit to retry.
 */
export const retryOrder = async (
  deps: OperatorDependencies,
  orderId: string,
  retry: RetryOrder = {},
): Promise<StoredOrder> => (await perform(deps, orderId, { does: 'retry', ...retry })).order;

/**
 * Records what an operator found out about a delivery, for the units without a clear outcome: open, unknown or
 * contradicted. When all are clear it corrects those with the other outcome.
 *
 * @throws like {@link refundOrder}; UnitsError when there is nothing to mark.
 */
export async function markOrder(
  deps: OperatorDependencies,
  orderId: string,
  mark: Mark,
): Promise<{
  order: StoredOrder /** What counted as delivered, and a retry buys again. */;
  revoked: RevokedItem[];
}> {
  const { order, change } = await perform(deps, orderId, { does: 'mark', ...mark });
  return { order, revoked: change.entry?.revoked ?? [] };
}

/**
 * Adds an operator's note to an order's history, in whatever state it is.
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
