import type { Clock } from '../../platform/index.ts';
import type { OrderEvent, Store, StoredOrder } from '../../store/index.ts';
import { happen } from '../orders/change-order.ts';
import { stateConflict } from '../orders/state-conflict.ts';
import { Refusal } from '../refusal.ts';

/** What operators do to orders, on the store itself: a running server does the work that follows. */
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
  const happening = {
    event,
    by: 'operator',
    at: worldClock(),
    ...(settles !== undefined && { settles }),
  } as const;
  const happened = await happen(store, orderId, happening);
  if (!happened) throw new Refusal('INVOICE_NOT_FOUND');
  if (!happened.changed) throw stateConflict(happened.order);
  return happened.order;
}

/**
 * Notes that an order was refunded; only a paid one whose delivery failed.
 *
 * @throws Refusal INVOICE_NOT_FOUND, or STATE_CONFLICT with the state it is in.
 */
export const refundOrder = (deps: OperatorDependencies, orderId: string): Promise<StoredOrder> =>
  act(deps, orderId, 'refunded');

/** Puts the undelivered units of a failed order on their way again; it must still be paid. */
export const retryOrder = (deps: OperatorDependencies, orderId: string): Promise<StoredOrder> =>
  act(deps, orderId, 'retried');

/** Takes money that could not be matched for the order it was meant for, which is then delivered. */
export async function settleReconciliation(
  deps: OperatorDependencies,
  reconciliationId: string,
): Promise<StoredOrder> {
  const open = await deps.store.listReconciliations('open');
  const found = open.find((one) => one.reconciliationId === reconciliationId);
  if (!found) throw new Refusal('RECONCILIATION_NOT_FOUND');
  return act(deps, found.orderId, 'settled', reconciliationId);
}
