import type { Clock } from '../platform/index.ts';
import type { Actor, ChangeOrder, Store, StoredOrder, StoredUnit } from '../store/index.ts';
import {
  type FindResult,
  parseFindResult,
  parseSupplyResult,
  type Supplier,
  supplyReference,
} from '../supplier/index.ts';
import { planChange } from './orders/states.ts';
import { supplierCodeOf } from './supplier-products.ts';
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

/** The time between two requests grows with the time that the delivery takes, and respects the supplier's limit. */
const nextRequestAt = ({ abilities }: Supplier, askedAt: number, now: number): number =>
  now +
  Math.max(abilities.findIntervalMs, minInterval, Math.min(maxInterval, Math.floor((now - askedAt) / 2)));

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

/** Nobody can be asked for the outcome of an attempt, and why. */
interface UnknownOutcome {
  state: 'unknown';
  reason: string;
}

/** What is known of an attempt after a request. */
type Knowledge = FindResult | UnknownOutcome;

/** Why the supplier can't be asked about a purchase (any more); null when it can. */
function unaskable(
  { abilities: { findBy, referenceLifetimeMs } }: Supplier,
  { askedAt, supplierId }: StoredUnit,
  now: number,
): string | null {
  if (findBy === 'none') return "The supplier can't be asked about its purchases.";
  if (findBy === 'supplierId' && supplierId === null)
    return 'The supplier gave no id of the purchase, by which to ask for the outcome.';
  if (referenceLifetimeMs !== null && now - (askedAt ?? now) >= referenceLifetimeMs)
    return 'The supplier gave no outcome for as long as it could be asked about the purchase.';
  return null;
}

/** The account as the supplier takes it. */
const targetText = ({ game, target }: StoredOrder): string =>
  (game.target ?? '{id}{server}').replaceAll(/\{(id|server)\}/g, (placeholder) =>
    placeholder === '{id}' ? target.id : (target.server ?? ''),
  );

/** Submits a unit, or asks for its outcome. An error says nothing, because the supplier may have received the request. */
async function request(
  { supplier, worldClock, reportError }: DeliveryDependencies,
  order: StoredOrder,
  { before, asked }: MarkedUnit,
): Promise<Knowledge> {
  const reference = referenceOf(order.orderId, asked);
  const { id, server } = order.target;
  const common = {
    reference,
    productCode: supplierCodeOf(order.product),
    target: { id, server, text: targetText(order) },
    maxPrice: order.pricing.unit_price_before_promo,
    askedAt: asked.askedAt ?? worldClock(),
  };
  const signal = AbortSignal.timeout(timeoutMs);
  const inTime = <Result>(response: Promise<Result>): Promise<Result> =>
    withTimeout(response, timeoutMs, 'the supplier did not respond in time');
  try {
    if (before.state === 'waiting') return parseSupplyResult(await inTime(supplier.submit(common, signal)));
    const reason = unaskable(supplier, asked, worldClock());
    if (reason !== null) return { state: 'unknown', reason };
    const { supplierId } = asked;
    return parseFindResult(await inTime(supplier.find({ ...common, supplierId }, signal)));
  } catch (error) {
    reportError(error, reference);
    return { state: 'pending' };
  }
}

/** A unit that is due, before and after it was marked as asked. */
interface MarkedUnit {
  before: StoredUnit;
  asked: StoredUnit;
}

/** Marks the order's due units as asked; none when the order was changed in between. */
async function markAsked(
  { store, supplier, worldClock }: DeliveryDependencies,
  delivery: Delivery,
): Promise<MarkedUnit[]> {
  const now = worldClock();
  const marked = delivery.units
    .filter(({ nextAt }) => nextAt !== null && nextAt <= now)
    .map((before): MarkedUnit => {
      const askedAt = before.askedAt ?? now;
      const nextAt = nextRequestAt(supplier, askedAt, now);
      return { before, asked: { ...before, state: 'asked', askedAt, nextAt } };
    });
  if (marked.length === 0) return [];
  const change = unitsChange(
    delivery,
    marked.map(({ asked }) => asked),
  );
  return 'done' in (await store.changeOrder(change)) ? marked : [];
}

/** The unit with what is now known; null when that is nothing new. */
function updated(unit: StoredUnit, known: Knowledge): StoredUnit | null {
  const supplierId = ('supplierId' in known ? known.supplierId : undefined) ?? unit.supplierId;
  const settled = { ...unit, supplierId, nextAt: null };
  switch (known.state) {
    case 'delivered':
      return { ...settled, state: 'delivered', serialNumber: known.serialNumber, reason: null };
    case 'failed':
      return { ...settled, state: 'failed', reason: known.reason };
    case 'unknown':
      return { ...settled, state: 'unknown', reason: known.reason };
    case 'absent':
      return { ...unit, state: 'waiting' };
    case 'pending':
      return supplierId === unit.supplierId ? null : { ...unit, supplierId };
  }
}

/** Whether knowledge still matters: a late response may settle an unknown outcome, but nothing else undoes it. */
const isOpen = ({ state }: StoredUnit, known: Knowledge): boolean =>
  state === 'asked' || (state === 'unknown' && (known.state === 'delivered' || known.state === 'failed'));

/** Stores what is known of an attempt; tries again when the order was changed in between. */
async function storeKnowledge(
  { store, worldClock }: DeliveryDependencies,
  orderId: string,
  asked: StoredUnit,
  known: Knowledge,
): Promise<void> {
  for (;;) {
    const delivery = await readDelivery(store, orderId);
    const unit = delivery?.units.find((one) => one.unit === asked.unit && one.attempt === asked.attempt);
    if (!delivery || !unit || !isOpen(unit, known)) return;
    const after = updated(unit, known);
    if (!after) return;
    const change = outcomeChange(delivery, [after], 'supplier', worldClock());
    if ('done' in (await store.changeOrder(change))) return;
  }
}

/**
 * Submits each due unit of an order, or asks for its outcome once it was submitted. The unit is marked as asked before
 * the request is sent, so that after a crash between the two the supplier is asked, and nothing is bought twice. What
 * the responses say is stored when they arrive; this function doesn't wait for them.
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
  for (const marked of await markAsked(deps, delivery))
    start(referenceOf(orderId, marked.asked), async () => {
      const known = await request(deps, delivery.order, marked);
      await storeKnowledge(deps, orderId, marked.asked, known);
    });
}
