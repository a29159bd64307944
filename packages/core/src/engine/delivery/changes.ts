import type { Actor, ChangeOrder, Store, StoredOrder, StoredUnit } from '../../store/index.ts';
import { planChange } from '../orders/states.ts';

export interface Delivery {
  order: StoredOrder;
  units: readonly StoredUnit[];
}

export async function readDelivery(store: Store, orderId: string): Promise<Delivery | null> {
  const order = await store.findOrder(orderId);
  return order && { order, units: await store.findUnits(orderId) };
}

/** A change of some units that keeps the order's own state. */
export const unitsChange = ({ order }: Delivery, units: StoredUnit[]): ChangeOrder => ({
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

/** The proofs of delivery of all units, by unit number. */
export const serialNumbers = (units: readonly StoredUnit[]): string | null =>
  units.flatMap(({ serialNumber }) => serialNumber ?? []).join(', ') || null;

/** The units of an order, those that changed as they are afterwards. */
export const withChanged = (units: readonly StoredUnit[], changed: readonly StoredUnit[]): StoredUnit[] =>
  units.map((before) => changed.find(({ unit }) => unit === before.unit) ?? before);

/** A change that stores the outcomes of units, and the order's state once every unit has one. */
export function outcomeChange(delivery: Delivery, settled: StoredUnit[], by: Actor, at: number): ChangeOrder {
  const units = withChanged(delivery.units, settled);
  const change = unitsChange(delivery, settled);
  if (!units.every(({ state }) => state === 'delivered' || state === 'failed')) return change;
  const event = units.every(({ state }) => state === 'delivered') ? 'delivered' : 'undelivered';
  const whole = planChange(delivery.order, { event, by, at });
  return whole ? { ...whole, units: settled, serialNumber: serialNumbers(units) } : change;
}
