import type { Clock } from '../platform/index.ts';
import type { OrderEvent, Promo, Store, StoredOrder } from '../store/index.ts';
import { Refusal } from './errors.ts';
import { applyEvent, planChange, stateConflict } from './orders/states.ts';

/** Operators change orders in the store itself; a running server does the work that follows. */
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
  if (!applied) throw new Refusal('INVOICE_NOT_FOUND');
  if (!applied.changed) throw stateConflict(applied.order);
  return applied.order;
}

/**
 * Notes that an order was refunded; only a paid one whose delivery failed.
 *
 * @throws Refusal INVOICE_NOT_FOUND, or STATE_CONFLICT with the state it is in.
 */
export const refundOrder = (deps: OperatorDependencies, orderId: string): Promise<StoredOrder> =>
  act(deps, orderId, 'refunded');

/** Starts the delivery of the failed units of an order again; the order must still be paid. */
export const retryOrder = (deps: OperatorDependencies, orderId: string): Promise<StoredOrder> =>
  act(deps, orderId, 'retried');

/** Accepts a payment that could not be matched for the order it was meant for, which is then delivered. */
export async function settleReconciliation(
  deps: OperatorDependencies,
  reconciliationId: string,
): Promise<StoredOrder> {
  const open = await deps.store.listReconciliations('open');
  const found = open.find((one) => one.reconciliationId === reconciliationId);
  if (!found) throw new Refusal('RECONCILIATION_NOT_FOUND');
  return act(deps, found.orderId, 'settled', reconciliationId);
}

/**
 * The order after an operator's command; changes nothing.
 *
 * @throws Refusal as the command itself would: INVOICE_NOT_FOUND, or STATE_CONFLICT with the state it is in.
 */
export async function previewOrder(
  { store, worldClock }: OperatorDependencies,
  orderId: string,
  event: 'refunded' | 'retried' | 'settled',
): Promise<StoredOrder> {
  const order = await store.findOrder(orderId);
  if (!order) throw new Refusal('INVOICE_NOT_FOUND');
  const units = await store.findUnits(orderId);
  const change = planChange(order, units, { event, by: 'operator', at: worldClock() });
  if (!change) throw stateConflict(order);
  return { ...order, ...change.to };
}

/** Whether the store would reject a promo because its quota is below the uses so far; changes nothing. */
export async function previewPromo(
  store: Store,
  { code, quota }: Promo,
): Promise<{ uses: number; isOverused: boolean }> {
  const { total } = await store.countPromoUses(code, '');
  return { uses: total, isOverused: quota !== null && total > quota };
}
