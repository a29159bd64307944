import { type ChangeOrder, type Conflict, type Done, done } from '../store.ts';
import type { StoredOrder, StoredUnit } from '../types/order.ts';
import type { Reconciliation } from '../types/reconciliation.ts';
import { uniqueTotal } from './place-orders.ts';
import { reclaimUse, releaseUse } from './promo-uses.ts';
import type { State } from './state.ts';

function storeUnits(state: State, orderId: string, changed: readonly StoredUnit[]): void {
  if (changed.length === 0) return;
  const units = new Map((state.units.get(orderId) ?? []).map((unit) => [unit.unit, unit]));
  for (const unit of changed) units.set(unit.unit, unit);
  const all = [...units.values()].sort((a, b) => a.unit - b.unit);
  state.units.set(orderId, all);
  if (all.some(({ nextAt }) => nextAt !== null)) state.delivering.add(orderId);
  else state.delivering.delete(orderId);
}

/** An order that is no longer unpaid can't expire, and its total may be another's. */
function noteState(state: State, before: StoredOrder, { orderId, to }: ChangeOrder): void {
  if (to.paymentStatus === 'UNPAID') return;
  state.unpaid.delete(orderId);
  const total = uniqueTotal(before);
  if (total !== null) state.uniqueTotals.delete(total);
}

function openReconciliation(state: State, id: string, orderId: string): Reconciliation | undefined {
  const found = state.reconciliations.get(id);
  return found?.state === 'open' && found.orderId === orderId ? found : undefined;
}

export function changeOrder(
  state: State,
  command: ChangeOrder,
): Done | Conflict<'order_missing' | 'order_changed'> {
  const { orderId, version, to, entry, promo, units, serialNumber, settles } = command;
  const before = state.orders.get(orderId);
  if (!before) return { conflict: 'order_missing' };
  const reconciliation = settles === null ? null : openReconciliation(state, settles, orderId);
  if (before.version !== version || reconciliation === undefined) return { conflict: 'order_changed' };
  noteState(state, before, command);
  state.orders.set(orderId, {
    ...before,
    paymentStatus: to.paymentStatus,
    buyStatus: to.buyStatus,
    serialNumber,
    version: version + 1,
  });
  storeUnits(state, orderId, units);
  if (entry) state.history.set(orderId, [...(state.history.get(orderId) ?? []), entry]);
  if (promo === 'release') releaseUse(state, orderId);
  if (promo === 'reclaim') reclaimUse(state, orderId);
  if (reconciliation)
    state.reconciliations.set(reconciliation.reconciliationId, { ...reconciliation, state: 'settled' });
  return done;
}
