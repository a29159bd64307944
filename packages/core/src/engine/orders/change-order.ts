import type { Actor, ChangeOrder, OrderEvent, Store, StoredOrder, StoredUnit } from '../../store/index.ts';
import { type Transition, transitionOf } from './order-states.ts';

/** An event, as it happens to an order. */
export interface Happening {
  event: OrderEvent;
  by: Actor;
  /** Unix milliseconds of world time. */
  at: number;
  /** The reconciliation that it settles. */
  settles?: string;
}

/** A unit that waits for its next attempt. */
const waiting = (unit: number, attempt: number, at: number): StoredUnit => ({
  unit,
  attempt,
  state: 'waiting',
  askedAt: null,
  nextAt: at,
  serialNumber: null,
  reason: null,
});

/** The units that a transition sets on their way. */
function startedUnits(
  { deliver }: Transition,
  order: StoredOrder,
  units: readonly StoredUnit[],
  at: number,
): StoredUnit[] {
  if (deliver === 'all')
    return Array.from({ length: order.pricing.quantity }, (_, index) => waiting(index + 1, 1, at));
  if (deliver === 'failed')
    return units
      .filter(({ state }) => state === 'failed')
      .map((one) => waiting(one.unit, one.attempt + 1, at));
  return [];
}

/** The command that an event makes of an order; null when the event does nothing to it. */
export function changeOf(
  order: StoredOrder,
  units: readonly StoredUnit[],
  { event, by, at, settles }: Happening,
): ChangeOrder | null {
  const transition = transitionOf(order, event);
  if (!transition) return null;
  const { paymentStatus, buyStatus } = order;
  return {
    orderId: order.orderId,
    version: order.version,
    to: transition.to,
    entry: { at, event, by, from: { paymentStatus, buyStatus }, to: transition.to },
    promo: transition.promo,
    units: startedUnits(transition, order, units, at),
    serialNumber: order.serialNumber,
    settles: settles ?? null,
  };
}

/**
 * Lets an event happen to an order: thought out for the order as it is, and thought out anew when somebody else
 * changed it meanwhile.
 *
 * @returns the order as it is afterwards, and whether the event did anything; null when there is no such order.
 */
export async function happen(
  store: Store,
  orderId: string,
  happening: Happening,
): Promise<{ order: StoredOrder; changed: boolean } | null> {
  for (;;) {
    const order = await store.findOrder(orderId);
    if (!order) return null;
    const change = changeOf(order, await store.findUnits(orderId), happening);
    if (!change) return { order, changed: false };
    const outcome = await store.changeOrder(change);
    if ('done' in outcome)
      return { order: { ...order, ...change.to, version: order.version + 1 }, changed: true };
    // A reconciliation that was settled or returned meanwhile, or is another order's, will not do.
    if (happening.settles !== undefined && !(await isOpen(store, happening.settles, orderId)))
      return { order, changed: false };
  }
}

async function isOpen(store: Store, reconciliationId: string, orderId: string): Promise<boolean> {
  const open = await store.listReconciliations('open');
  return open.some((one) => one.reconciliationId === reconciliationId && one.orderId === orderId);
}
