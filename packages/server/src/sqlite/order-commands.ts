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
import type { CallbackRows } from './callback-rows.ts';
import type { IdempotencyRows } from './idempotency-rows.ts';
import type { HistoryRows, OrderRows } from './order-rows.ts';
import type { PromoClaimRows } from './promo-rows.ts';
import type { ReconciliationRows } from './reconciliation-rows.ts';
import type { RefundRows } from './refund-rows.ts';
import type { WorldRows } from './state-rows.ts';
import type { UnitRows } from './unit-rows.ts';

// A command returns the first conflict. The caller then rolls back what the command wrote before it.

interface Rows {
  callbacks: CallbackRows;
  idempotency: IdempotencyRows;
  claims: PromoClaimRows;
  history: HistoryRows;
  orders: OrderRows;
  reconciliations: ReconciliationRows;
  refunds: RefundRows;
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
  if (command.body === null) idempotency.free(command.orderId);
  else idempotency.complete(command.orderId, command.body);
  return done;
}

export function abandonOrder(
  { idempotency, orders, claims }: Rows,
  orderId: string,
): Done | Conflict<'order_missing'> {
  // Before the order, because a claim refers to it. If the order isn't reserved, the roll-back restores the claim.
  claims.delete(orderId);
  const conflict = orders.deleteReserved(orderId);
  if (conflict) return conflict;
  idempotency.free(orderId);
  return done;
}

export function changeOrder(
  { orders, units, history, claims, reconciliations, refunds }: Rows,
  change: ChangeOrder,
): Done | Conflict<'order_missing' | 'order_changed'> {
  const { orderId, version, entry, promo, settles } = change;
  const conflict = orders.change(change);
  if (conflict) return conflict;
  for (const settled of settles)
    if (!reconciliations.settle(settled, { orderId, by: entry })) return { conflict: 'order_changed' };
  if (entry) history.add(orderId, version + 1, entry);
  for (const unit of change.units) units.put(orderId, unit);
  for (const refund of change.refunds) refunds.add(refund);
  if (promo === 'release') claims.release(orderId);
  if (promo === 'reclaim') claims.reclaim(orderId);
  return done;
}

export function clearOrders(rows: Rows): Done {
  const { idempotency, orders, units, history, claims, reconciliations, refunds, callbacks, world } = rows;
  // Orders last, because the other rows refer to them.
  for (const table of [idempotency, reconciliations, refunds, callbacks, units, history, claims, orders])
    table.clear();
  world.reset();
  return done;
}
