import type { Clock } from '../platform/index.ts';
import type { OrderEvent, Promo, Store, StoredOrder } from '../store/index.ts';
import { Refusal } from './errors.ts';
import { changeOf, happen, stateConflict } from './orders/states.ts';

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

/**
 * What an operator's act would make of an order; changes nothing.
 *
 * @throws Refusal as the act itself would: INVOICE_NOT_FOUND, or STATE_CONFLICT with the state it is in.
 */
export async function previewOrder(
  { store, worldClock }: OperatorDependencies,
  orderId: string,
  event: 'refunded' | 'retried' | 'settled',
): Promise<StoredOrder> {
  const order = await store.findOrder(orderId);
  if (!order) throw new Refusal('INVOICE_NOT_FOUND');
  const units = await store.findUnits(orderId);
  const change = changeOf(order, units, { event, by: 'operator', at: worldClock() });
  if (!change) throw stateConflict(order);
  return { ...order, ...change.to };
}

/** Customers play no part in how often a promo is used in all. */
const anyone = '';

/** Whether the store would refuse a promo, as one that was used more often than its quota allows; changes nothing. */
export async function previewPromo(
  store: Store,
  { code, quota }: Promo,
): Promise<{ uses: number; isOverused: boolean }> {
  const { total } = await store.countPromoUses(code, anyone);
  return { uses: total, isOverused: quota !== null && total > quota };
}
