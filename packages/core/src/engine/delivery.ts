import type { Clock } from '../platform/index.ts';
import type { Actor, ChangeOrder, Store, StoredOrder, StoredUnit } from '../store/index.ts';
import type { Supplier, SupplyAnswer } from '../supplier/index.ts';
import { changeOf } from './orders/states.ts';
import { inTime } from './time.ts';

export interface DeliveryDependencies {
  store: Store;
  supplier: Supplier;
  worldClock: Clock;
  reportError: (error: unknown, about: string) => void;
}

/** How long to wait before a supplier is asked again, at least and at most, in milliseconds of world time. */
const soonest = 1_000;
const latest = 60_000;

/** The longer a delivery takes, the rarer it is asked for. */
const nextQuestion = (askedAt: number, now: number): number =>
  now + Math.min(latest, Math.max(soonest, Math.floor((now - askedAt) / 2)));

/** How long a supplier may take to answer one question, in milliseconds of real time. */
const patience = 15_000;

interface Delivery {
  order: StoredOrder;
  units: readonly StoredUnit[];
}

async function readDelivery(store: Store, orderId: string): Promise<Delivery | null> {
  const order = await store.findOrder(orderId);
  return order && { order, units: await store.findUnits(orderId) };
}

/** Stores units as they are from now on; the order's own state stays. */
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

/** Every unit's proof of delivery, in their order. */
const serialNumbers = (units: readonly StoredUnit[]): string | null =>
  units.flatMap(({ serialNumber }) => serialNumber ?? []).join(', ') || null;

/** Stores settled units, and with the last ones of an order what became of the order. */
export function settledChange(delivery: Delivery, settled: StoredUnit[], by: Actor, at: number): ChangeOrder {
  const units = delivery.units.map((one) => settled.find(({ unit }) => unit === one.unit) ?? one);
  const change = unitsChange(delivery, settled);
  if (!units.every(({ state }) => state === 'delivered' || state === 'failed')) return change;
  const event = units.every(({ state }) => state === 'delivered') ? 'delivered' : 'undelivered';
  const whole = changeOf(delivery.order, units, { event, by, at });
  return whole ? { ...whole, units: settled, serialNumber: serialNumbers(units) } : change;
}

function settledUnit(unit: StoredUnit, answer: Exclude<SupplyAnswer, { state: 'pending' }>): StoredUnit {
  return answer.state === 'delivered'
    ? { ...unit, state: 'delivered', nextAt: null, serialNumber: answer.serialNumber }
    : { ...unit, state: 'failed', nextAt: null, reason: answer.reason };
}

/** Asks the supplier, who knows the reference from the second time on. */
async function ask(deps: DeliveryDependencies, order: StoredOrder, unit: StoredUnit): Promise<SupplyAnswer> {
  const reference = `${order.orderId}-${unit.unit}-${unit.attempt}`;
  try {
    const request = {
      reference,
      productCode: order.product.code,
      target: { id: order.target.id, server: order.target.server },
      askedAt: unit.askedAt ?? deps.worldClock(),
    };
    const asked = deps.supplier.supply(request, AbortSignal.timeout(patience));
    return await inTime(asked, patience, 'the supplier did not answer in time');
  } catch (error) {
    deps.reportError(error, reference);
    return { state: 'pending' };
  }
}

/** Marks the order's due units as asked for; none when somebody else changed the order meanwhile. */
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
        nextAt: nextQuestion(unit.askedAt ?? now, now),
      }),
    );
  if (asked.length === 0) return [];
  return 'done' in (await store.changeOrder(unitsChange(delivery, asked))) ? asked : [];
}

/** Other units of the order may settle meanwhile: then the change is thought out anew. */
async function storeAnswer(
  { store, worldClock }: DeliveryDependencies,
  orderId: string,
  asked: StoredUnit,
  answer: Exclude<SupplyAnswer, { state: 'pending' }>,
): Promise<void> {
  for (;;) {
    const delivery = await readDelivery(store, orderId);
    const unit = delivery?.units.find((one) => one.unit === asked.unit && one.attempt === asked.attempt);
    if (!delivery || unit?.state !== 'asked') return;
    const change = settledChange(delivery, [settledUnit(unit, answer)], 'supplier', worldClock());
    if ('done' in (await store.changeOrder(change))) return;
  }
}

/**
 * Brings the due units of an order a step further. That they are asked for is stored before the supplier is asked, so a
 * crash between the two leads to the same question again, and never to a second purchase. The answers are stored when
 * they come; nobody waits for them here.
 */
export async function deliverUnits(
  deps: DeliveryDependencies,
  start: (name: string, work: () => Promise<unknown>) => void,
  orderId: string,
): Promise<void> {
  const delivery = await readDelivery(deps.store, orderId);
  if (!delivery) return;
  for (const unit of await markAsked(deps, delivery))
    start(`${orderId}-${unit.unit}-${unit.attempt}`, async () => {
      const answer = await ask(deps, delivery.order, unit);
      if (answer.state !== 'pending') await storeAnswer(deps, orderId, unit, answer);
    });
}
