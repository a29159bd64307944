import type {
  ChangeOrder,
  Conflict,
  Done,
  FinaliseOrder,
  PlaceOrder,
  PlaceOrderConflict,
  ReserveOrder,
  ReserveOrderConflict,
} from '@topup-kit/core/store';
import { done } from '@topup-kit/core/store';
import type { IdempotencyRows } from './idempotency-rows.ts';
import type { HistoryRows, OrderRows } from './order-rows.ts';
import type { PromoClaimRows } from './promo-rows.ts';
import type { ReconciliationRows } from './reconciliation-rows.ts';
import type { WorldRows } from './state-rows.ts';
import type { UnitRows } from './unit-rows.ts';

// A command returns its first conflict; the caller rolls back what was written before it.

interface Rows {
  idempotency: IdempotencyRows;
  claims: PromoClaimRows;
  history: HistoryRows;
  orders: OrderRows;
  reconciliations: ReconciliationRows;
  units: UnitRows;
  world: WorldRows;
}

export function placeOrder(
  { idempotency, orders, claims }: Rows,
  { order, promo, response }: PlaceOrder,
): Done | PlaceOrderConflict {
  return (
    (response && idempotency.take(response, order.createdAt)) ??
    orders.insert(order) ??
    (promo && claims.claim(order.orderId, promo)) ??
    done
  );
}

export function reserveOrder(
  { idempotency, orders, claims }: Rows,
  { order, promo, response }: ReserveOrder,
): Done | ReserveOrderConflict {
  return (
    (response && idempotency.take(response, order.createdAt)) ??
    orders.reserve(order) ??
    (promo && claims.claim(order.orderId, promo)) ??
    done
  );
}

export function finaliseOrder(
  { idempotency, orders }: Rows,
  command: FinaliseOrder,
): Done | Conflict<'order_missing' | 'reference_taken'> {
  const conflict = orders.finalise(command);
  if (conflict) return conflict;
  idempotency.complete(command.orderId, command.body);
  return done;
}

export function abandonOrder(
  { idempotency, orders, claims }: Rows,
  orderId: string,
): Done | Conflict<'order_missing'> {
  // First, because a claim refers to its order; of an order that isn't reserved it comes back by the roll-back.
  claims.forget(orderId);
  const conflict = orders.deleteReserved(orderId);
  if (conflict) return conflict;
  idempotency.free(orderId);
  return done;
}

export function changeOrder(
  { orders, units, history, claims, reconciliations }: Rows,
  change: ChangeOrder,
): Done | Conflict<'order_missing' | 'order_changed'> {
  const { orderId, version, entry, promo, settles } = change;
  const conflict = orders.change(change);
  if (conflict) return conflict;
  if (settles !== null && !reconciliations.settle(settles, orderId)) return { conflict: 'order_changed' };
  if (entry) history.add(orderId, version + 1, entry);
  for (const unit of change.units) units.put(orderId, unit);
  if (promo === 'release') claims.release(orderId);
  if (promo === 'reclaim') claims.reclaim(orderId);
  return done;
}

export function clearOrders(rows: Rows): Done {
  const { idempotency, orders, units, history, claims, reconciliations, world } = rows;
  // Orders last, because the others refer to them.
  for (const cleared of [idempotency, reconciliations, units, history, claims, orders]) cleared.clear();
  world.reset();
  return done;
}
