import type { Clock } from '../platform/index.ts';
import type { OrderEvent, Promo, Store, StoredOrder } from '../store/index.ts';
import { DomainError } from './errors.ts';
import { applyEvent, planChange, stateConflict } from './orders/states.ts';

/** Operators change orders directly in the store; a running server then does the due work. */
export interface OperatorDependencies {
  store: Store;
  /** World time in unix milliseconds: real time plus the store's `readWorldOffset()`. */
  worldClock: Clock;
}

async function act(
  { store, worldClock }: OperatorDependencies,
  orderId: string,
  event: OrderEvent,
  settles?: string,
): Promise<StoredOrder> {
  const applied = await applyEvent(store, orderId, {
    event,
    by: 'operator',
    at: worldClock(),
    ...(settles !== undefined && { settles }),
  });
  if (!applied) throw new DomainError('INVOICE_NOT_FOUND');
  if (!applied.changed) throw stateConflict(applied.order);
  return applied.order;
}

/**
 * Marks an order as refunded; it must be paid and its delivery must have failed.
 *
 * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state.
 */
export const refundOrder = (deps: OperatorDependencies, orderId: string): Promise<StoredOrder> =>
  act(deps, orderId, 'refunded');

/** Starts the delivery of an order's failed units again; the order must still be paid. */
export const retryOrder = (deps: OperatorDependencies, orderId: string): Promise<StoredOrder> =>
  act(deps, orderId, 'retried');

/**
 * Accepts a payment that did not fit its order; the order is then delivered.
 *
 * @param orderId the order of a payment that was made for no known order; the others have an order
 * @throws DomainError RECONCILIATION_NOT_FOUND, INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state.
 */
export async function settleReconciliation(
  deps: OperatorDependencies,
  reconciliationId: string,
  orderId = '',
): Promise<StoredOrder> {
  const open = await deps.store.listReconciliations('open');
  const found = open.find((one) => one.reconciliationId === reconciliationId);
  if (!found) throw new DomainError('RECONCILIATION_NOT_FOUND');
  return act(deps, found.orderId ?? orderId, 'settled', reconciliationId);
}

/**
 * Returns the order as an operator's command would change it, without changing it.
 *
 * @throws DomainError as the command itself: INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state.
 */
export async function previewOrder(
  { store, worldClock }: OperatorDependencies,
  orderId: string,
  event: 'refunded' | 'retried' | 'settled',
): Promise<StoredOrder> {
  const order = await store.findOrder(orderId);
  if (!order) throw new DomainError('INVOICE_NOT_FOUND');
  const units = await store.findUnits(orderId);
  const change = planChange(order, units, { event, by: 'operator', at: worldClock() });
  if (!change) throw stateConflict(order);
  return { ...order, ...change.to };
}

/** Returns the uses of a promo, and whether its quota is below them, so that the store would reject it. */
export async function previewPromo(
  store: Store,
  { code, quota }: Promo,
): Promise<{ uses: number; isOverused: boolean }> {
  const { total } = await store.countPromoUses(code, '');
  return { uses: total, isOverused: quota !== null && total > quota };
}
