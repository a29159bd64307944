import type { Clock } from '../platform/index.ts';
import type { Actor, ChangeOrder, Store, StoredOrder, StoredUnit } from '../store/index.ts';
import {
  type FindResult,
  parseFindResult,
  parseSupplyResult,
  type Supplier,
  type SupplyRequest,
  supplyReference,
} from '../supplier/index.ts';
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
export type Knowledge = FindResult | UnknownOutcome;

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

/** The purchase of a unit's current attempt. */
function purchaseOf(order: StoredOrder, unit: StoredUnit, now: number): SupplyRequest {
  const { id, server } = order.target;
  return {
    reference: referenceOf(order.orderId, unit),
    productCode: order.product.code,
    target: { id, server, text: `${id}${server ?? ''}` },
    maxPrice: order.pricing.unit_price_before_promo,
    askedAt: unit.askedAt ?? now,
  };
}

const inTime = <Result>(response: Promise<Result>): Promise<Result> =>
  withTimeout(response, timeoutMs, 'the supplier did not respond in time');

/** Asks for the outcome of a unit's current attempt. Throws when the supplier gives no usable response. */
export async function findOutcome(
  { supplier, worldClock }: Pick<DeliveryDependencies, 'supplier' | 'worldClock'>,
  order: StoredOrder,
  unit: StoredUnit,
): Promise<Knowledge> {
  const now = worldClock();
  const reason = unaskable(supplier, unit, now);
  if (reason !== null) return { state: 'unknown', reason };
  const purchase = { ...purchaseOf(order, unit, now), supplierId: unit.supplierId };
  return parseFindResult(await inTime(supplier.find(purchase, AbortSignal.timeout(timeoutMs))));
}

/** Submits a unit, or asks for its outcome. An error says nothing, because the supplier may have received the request. */
async function request(
  deps: DeliveryDependencies,
  order: StoredOrder,
  { before, asked }: MarkedUnit,
): Promise<Knowledge> {
  const { supplier, worldClock, reportError } = deps;
  const purchase = purchaseOf(order, asked, worldClock());
  try {
    if (before.state !== 'waiting') return await findOutcome(deps, order, asked);
    return parseSupplyResult(await inTime(supplier.submit(purchase, AbortSignal.timeout(timeoutMs))));
  } catch (error) {
    reportError(error, purchase.reference);
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

/** Whether a result is against the outcome that is stored. An attempt is only followed by another after it failed. */
const isContradiction = (unit: StoredUnit, attempt: number, known: Knowledge): boolean =>
  attempt < unit.attempt || unit.state === 'failed'
    ? known.state === 'delivered'
    : unit.state === 'delivered' && known.state === 'failed';

/**
 * Stores what is known of an attempt; tries again when the order was changed in between.
 *
 * @returns `unmatched` when there is no such attempt.
 */
export async function storeKnowledge(
  { store, worldClock }: Pick<DeliveryDependencies, 'store' | 'worldClock'>,
  orderId: string,
  about: Pick<StoredUnit, 'unit' | 'attempt'>,
  known: Knowledge,
): Promise<'applied' | 'unchanged' | 'contradiction' | 'unmatched'> {
  for (;;) {
    const delivery = await readDelivery(store, orderId);
    const unit = delivery?.units.find((one) => one.unit === about.unit && one.attempt >= about.attempt);
    if (!delivery || !unit) return 'unmatched';
    if (isContradiction(unit, about.attempt, known)) return 'contradiction';
    const after = about.attempt === unit.attempt && isOpen(unit, known) ? updated(unit, known) : null;
    if (!after) return 'unchanged';
    const change = outcomeChange(delivery, [after], 'supplier', worldClock());
    if ('done' in (await store.changeOrder(change))) return 'applied';
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
