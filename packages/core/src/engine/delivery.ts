import type { Clock } from '../platform/index.ts';
import type { Actor, ChangeOrder, Store, StoredOrder, StoredUnit } from '../store/index.ts';
import { type Supplier, type SupplyAnswer, supplyReference } from '../supplier/index.ts';
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

/** The longer a delivery takes, the longer the time between requests. */
const nextRequestAt = (askedAt: number, now: number): number =>
  now + Math.min(maxInterval, Math.max(minInterval, Math.floor((now - askedAt) / 2)));

/** How long a supplier may take for one response, in milliseconds of real time. */
const timeoutMs = 15_000;

/** The reference under which the supplier knows a unit's current attempt. */
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

/** A change of some units; the order's own state stays. */
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

/** A change that settles units, and the order with its last ones. */
export function settledChange(delivery: Delivery, settled: StoredUnit[], by: Actor, at: number): ChangeOrder {
  const units = delivery.units.map((one) => settled.find(({ unit }) => unit === one.unit) ?? one);
  const change = unitsChange(delivery, settled);
  if (!units.every(({ state }) => state === 'delivered' || state === 'failed')) return change;
  const event = units.every(({ state }) => state === 'delivered') ? 'delivered' : 'undelivered';
  const whole = planChange(delivery.order, units, { event, by, at });
  return whole ? { ...whole, units: settled, serialNumber: serialNumbers(units) } : change;
}

/** The final outcome of an attempt. */
type Outcome = Exclude<SupplyAnswer, { state: 'pending' }>;

function settledUnit(unit: StoredUnit, outcome: Outcome): StoredUnit {
  return outcome.state === 'delivered'
    ? { ...unit, state: 'delivered', nextAt: null, serialNumber: outcome.serialNumber }
    : { ...unit, state: 'failed', nextAt: null, reason: outcome.reason };
}

/** Sends one request; from the second one on the supplier knows the reference. */
async function requestSupply(
  deps: DeliveryDependencies,
  order: StoredOrder,
  unit: StoredUnit,
): Promise<SupplyAnswer> {
  const reference = referenceOf(order.orderId, unit);
  try {
    const request = {
      reference,
      productCode: order.product.code,
      target: { id: order.target.id, server: order.target.server },
      askedAt: unit.askedAt ?? deps.worldClock(),
    };
    const response = deps.supplier.supply(request, AbortSignal.timeout(timeoutMs));
    return await withTimeout(response, timeoutMs, 'the supplier did not answer in time');
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

/** Stores an outcome; starts again when other units of the order settled in between. */
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
    const change = settledChange(delivery, [settledUnit(unit, outcome)], 'supplier', worldClock());
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
      const answer = await requestSupply(deps, delivery.order, unit);
      if (answer.state !== 'pending') await storeOutcome(deps, orderId, unit, answer);
    });
}
