import type { Actor, ChangeOrder, Store, StoredOrder, StoredUnit } from '../../store/index.ts';
import { type OrderEventInput, planChange } from './states.ts';

/** The planned change of an order; nothing is stored without a change. */
interface Plan {
  change: ChangeOrder | null;
}

/**
 * Changes an order. All changes go through this function: it reads, plans and stores, and starts again if the order was changed in between.
 *
 * @param known the result of `read`, if the caller has just read it
 * @returns the plan that was carried out.
 */
export async function changeOrder<Read, Planned extends Plan>(
  store: Pick<Store, 'changeOrder'>,
  read: () => Promise<Read>,
  plan: (subject: Read) => Planned | Promise<Planned>,
  known: Read | null = null,
): Promise<Planned> {
  for (let subject = known ?? (await read()); ; subject = await read()) {
    const planned = await plan(subject);
    if (!planned.change || 'done' in (await store.changeOrder(planned.change))) return planned;
  }
}

/** Returns an order after a change. */
export const changed = (order: StoredOrder, { to, serialNumber, version }: ChangeOrder): StoredOrder => ({
  ...order,
  ...to,
  serialNumber,
  version: version + 1,
});

/**
 * Applies an event to an order.
 *
 * @param known the order, if the caller has just read it
 * @returns the order afterwards, and whether the event changed it; null if the order is not found.
 */
export async function applyEvent(
  store: Store,
  orderId: string,
  input: OrderEventInput,
  known: StoredOrder | null = null,
): Promise<{ order: StoredOrder; changed: boolean } | null> {
  const read = (): Promise<StoredOrder | null> => store.findOrder(orderId);
  const plan = async (order: StoredOrder | null) => ({
    order,
    change: order && (await canSettle(store, input, orderId)) ? planChange(order, input) : null,
  });
  const { order, change } = await changeOrder(store, read, plan, known);
  return order && { order: change ? changed(order, change) : order, changed: change !== null };
}

/** Tells whether the reconciliations that an event settles are open and don't belong to another order. */
async function canSettle(store: Store, { settles = [] }: OrderEventInput, orderId: string): Promise<boolean> {
  const open = await Promise.all(
    settles.map((reconciliationId) => store.listReconciliations({ reconciliationId, state: 'open' })),
  );
  return open.every(([payment]) => payment && (payment.orderId ?? orderId) === orderId);
}

/** An order and the delivery of its units. */
export interface Delivery {
  order: StoredOrder;
  units: readonly StoredUnit[];
}

export async function readDelivery(store: Store, orderId: string): Promise<Delivery | null> {
  const order = await store.findOrder(orderId);
  return order && { order, units: await store.findUnits(orderId) };
}

/** Creates a change of some units that keeps the order's own state. */
export const unitsChange = ({ order }: Pick<Delivery, 'order'>, units: StoredUnit[]): ChangeOrder => ({
  orderId: order.orderId,
  version: order.version,
  to: { paymentStatus: order.paymentStatus, buyStatus: order.buyStatus },
  entry: null,
  promo: 'keep',
  units,
  serialNumber: order.serialNumber,
  settles: [],
  refunds: [],
});

/** Joins the proofs of delivery of all units, sorted by unit number. */
export const serialNumbers = (units: readonly StoredUnit[]): string | null =>
  units.flatMap(({ serialNumber }) => serialNumber ?? []).join(', ') || null;

/** Replaces the changed units of an order. */
export const withChanged = (units: readonly StoredUnit[], changed: readonly StoredUnit[]): StoredUnit[] =>
  units.map((before) => changed.find(({ unit }) => unit === before.unit) ?? before);

/** Creates a change that stores the outcomes of units, and the order's new state once every unit has an outcome. */
export function outcomeChange(delivery: Delivery, settled: StoredUnit[], by: Actor, at: number): ChangeOrder {
  const units = withChanged(delivery.units, settled);
  const change = unitsChange(delivery, settled);
  if (!units.every(({ state }) => state === 'delivered' || state === 'failed')) return change;
  const event = units.every(({ state }) => state === 'delivered') ? 'delivered' : 'undelivered';
  const whole = planChange(delivery.order, { event, by, at });
  return whole ? { ...whole, units: settled, serialNumber: serialNumbers(units) } : change;
}
