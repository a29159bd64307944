import type { Clock } from '../platform/index.ts';
import type { Actor, ChangeOrder, Store, StoredOrder, StoredUnit } from '../store/index.ts';
import { type Supplier, type SupplyResult, supplyReference } from '../supplier/index.ts';
import { planChange } from './orders/states.ts';
import { withTimeout } from './time.ts';

export interface DeliveryDependencies {
  store: Store;
  supplier: Supplier;
  worldClock: Clock;
  reportError: (error: unknown, about: string) => void;
}

/** The shortest and the longest time between two requests to a supplier, in milliseconds of world time. */
const minInterval = 1_000;
const maxInterval = 60_000;

/** The time between two requests grows with the time that the delivery takes. */
const nextRequestAt = (askedAt: number, now: number): number =>
  now + Math.min(maxInterval, Math.max(minInterval, Math.floor((now - askedAt) / 2)));

/** How long a supplier may take for one response, in milliseconds of real time. */
const timeoutMs = 15_000;

/** The supplier's reference of a unit's current attempt. */
export const referenceOf = (orderId: string, { unit, attempt }: StoredUnit): string =>
  supplyReference({ orderId, unit, attempt });

interface Delivery {
  order: StoredOrder;
  units: readonly StoredUnit[];
}

async function readDelivery(store: Store, orderId: string): Promise<Delivery | null> {
  const order = await store.findOrder(orderId);
  return order && { order, units: await store.findUnits(orderId) };
}

/** A change of some units that keeps the order's own state. */
const unitsChange = ({ order }: Delivery, units: StoredUnit[]): ChangeOrder => ({
  orderId: order.orderId,
  version: order.version,
  to: { paymentStatus: order.paymentStatus, buyStatus: order.buyStatus },
  entry: null,
  promo: 'keep',
  units,
  serialNumber: order.serialNumber,
  settles: null,
});

/** The proofs of delivery of all units, by unit number. */
const serialNumbers = (units: readonly StoredUnit[]): string | null =>
  units.flatMap(({ serialNumber }) => serialNumber ?? []).join(', ') || null;

/** A change that stores the outcomes of units, and the order's state once every unit has one. */
export function outcomeChange(delivery: Delivery, settled: StoredUnit[], by: Actor, at: number): ChangeOrder {
  const units = delivery.units.map((one) => settled.find(({ unit }) => unit === one.unit) ?? one);
  const change = unitsChange(delivery, settled);
  if (!units.every(({ state }) => state === 'delivered' || state === 'failed')) return change;
  const event = units.every(({ state }) => state === 'delivered') ? 'delivered' : 'undelivered';
  const whole = planChange(delivery.order, units, { event, by, at });
  return whole ? { ...whole, units: settled, serialNumber: serialNumbers(units) } : change;
}

/** The final outcome of an attempt. */
type Outcome = Exclude<SupplyResult, { state: 'pending' }>;

function unitWithOutcome(unit: StoredUnit, outcome: Outcome): StoredUnit {
  return outcome.state === 'delivered'
    ? { ...unit, state: 'delivered', nextAt: null, serialNumber: outcome.serialNumber }
    : { ...unit, state: 'failed', nextAt: null, reason: outcome.reason };
}

/** Sends one request. An error counts as pending, because the supplier may have received the request. */
async function requestSupply(
  deps: DeliveryDependencies,
  order: StoredOrder,
  unit: StoredUnit,
): Promise<SupplyResult> {
  const reference = referenceOf(order.orderId, unit);
  try {
    const request = {
      reference,
      productCode: order.product.code,
      target: { id: order.target.id, server: order.target.server },
      askedAt: unit.askedAt ?? deps.worldClock(),
    };
    const response = deps.supplier.supply(request, AbortSignal.timeout(timeoutMs));
    return await withTimeout(response, timeoutMs, 'the supplier did not respond in time');
  } catch (error) {
    deps.reportError(error, reference);
    return { state: 'pending' };
  }
}

/** Marks the order's due units as asked; none when the order was changed in between. */
async function markAsked(
  { store, worldClock }: DeliveryDependencies,
  delivery: Delivery,
): Promise<StoredUnit[]> {
  const now = worldClock();
  const asked = delivery.units
    .filter(({ nextAt }) => nextAt !== null && nextAt <= now)
    .map(
      (unit): StoredUnit => ({
        ...unit,
        state: 'asked',
        askedAt: unit.askedAt ?? now,
        nextAt: nextRequestAt(unit.askedAt ?? now, now),
      }),
    );
  if (asked.length === 0) return [];
  return 'done' in (await store.changeOrder(unitsChange(delivery, asked))) ? asked : [];
}

/** Stores an outcome; tries again when the order was changed in between. */
async function storeOutcome(
  { store, worldClock }: DeliveryDependencies,
  orderId: string,
  asked: StoredUnit,
  outcome: Outcome,
): Promise<void> {
  for (;;) {
    const delivery = await readDelivery(store, orderId);
    const unit = delivery?.units.find((one) => one.unit === asked.unit && one.attempt === asked.attempt);
    if (!delivery || unit?.state !== 'asked') return;
    const change = outcomeChange(delivery, [unitWithOutcome(unit, outcome)], 'supplier', worldClock());
    if ('done' in (await store.changeOrder(change))) return;
  }
}

/**
 * Sends a request for each due unit of an order. The unit is marked as asked before the request is sent, so a crash
 * between the two repeats the request under the same reference and never buys twice. The outcomes are stored when they
 * arrive; this function doesn't wait for them.
 *
 * @param start starts a task in the background, unless one of that name is running
 */
export async function deliverUnits(
  deps: DeliveryDependencies,
  start: (name: string, task: () => Promise<unknown>) => void,
  orderId: string,
): Promise<void> {
  const delivery = await readDelivery(deps.store, orderId);
  if (!delivery) return;
  for (const unit of await markAsked(deps, delivery))
    start(referenceOf(orderId, unit), async () => {
      const result = await requestSupply(deps, delivery.order, unit);
      if (result.state !== 'pending') await storeOutcome(deps, orderId, unit, result);
    });
}
