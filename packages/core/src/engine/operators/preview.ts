import type { Promo, Store, StoredOrder } from '../../store/index.ts';
import { changeOf } from '../orders/change-order.ts';
import { stateConflict } from '../orders/state-conflict.ts';
import { Refusal } from '../refusal.ts';
import type { OperatorDependencies } from './operate.ts';

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
