import type { Clock } from '../platform/index.ts';
import type { Actor, ChangeOrder, DueMoment, Store, StoredOrder, StoredUnit } from '../store/index.ts';
import {
  type FindResult,
  parseFindResult,
  parseSupplyResult,
  type Supplier,
  type SupplyRequest,
  supplyReference,
} from '../supplier/index.ts';
import { supplierCodeOf } from './catalog/listing.ts';
import type { Emit } from './events.ts';
import { changed, changeOrder } from './orders/change-order.ts';
import { planChange } from './orders/states.ts';
import { errorText } from './provider-problems.ts';
import { withTimeout } from './time.ts';

export interface DeliveryDependencies {
  store: Store;
  supplier: Supplier;
  worldClock: Clock;
  emit: Emit;
}

/** The shortest and the longest time between two requests to a supplier, in milliseconds of world time. */
const minInterval = 1_000;
const maxInterval = 60_000;

/** The time between two requests grows with the time that the delivery takes, and respects the supplier's limit. */
const nextRequestAt = ({ abilities }: Supplier, askedAt: number, now: number): number =>
  now +
  Math.max(abilities.findIntervalMs, minInterval, Math.min(maxInterval, Math.floor((now - askedAt) / 2)));

/** The earliest moment at which a purchase may be asked about, whenever that was done last. */
const earliestRequestAt = ({ abilities }: Supplier, now: number): number =>
  now + Math.max(abilities.findIntervalMs, minInterval);

/** How often to look whether the supplier of a unit is configured again, in milliseconds of world time. */
const elsewhereInterval = 10 * 60_000;

/** When units are due: see {@link DueMoment}. */
export const dueMoment = ({ abilities }: Supplier, now: number): DueMoment => ({
  now,
  latest: now + Math.max(abilities.findIntervalMs, minInterval, maxInterval, elsewhereInterval),
});

/** Why a unit can't be asked about here: another supplier has it, and this one might buy it again. Null when it can. */
export const elsewhereReason = ({ name }: Supplier, { supplier }: StoredUnit): string | null =>
  supplier === null || supplier === name
    ? null
    : `It was submitted to ${supplier}, but this server now uses ${name}.`;

/** How long a supplier may take for one response, in milliseconds of real time. */
const timeoutMs = 15_000;

/** The supplier's reference of a unit's current attempt. */
export const referenceOf = (orderId: string, { unit, attempt }: StoredUnit): string =>
  supplyReference({ orderId, unit, attempt });

interface Delivery {
  order: StoredOrder;
  units: readonly StoredUnit[];
}

export async function readDelivery(store: Store, orderId: string): Promise<Delivery | null> {
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
  settles: [],
  refunds: [],
});

/** The proofs of delivery of all units, by unit number. */
export const serialNumbers = (units: readonly StoredUnit[]): string | null =>
  units.flatMap(({ serialNumber }) => serialNumber ?? []).join(', ') || null;

/** A change that stores the outcomes of units, and the order's state once every unit has one. */
export function outcomeChange(delivery: Delivery, settled: StoredUnit[], by: Actor, at: number): ChangeOrder {
  const units = delivery.units.map((one) => settled.find(({ unit }) => unit === one.unit) ?? one);
  const change = unitsChange(delivery, settled);
  if (!units.every(({ state }) => state === 'delivered' || state === 'failed')) return change;
  const event = units.every(({ state }) => state === 'delivered') ? 'delivered' : 'undelivered';
  const whole = planChange(delivery.order, { event, by, at });
  return whole ? { ...whole, units: settled, serialNumber: serialNumbers(units) } : change;
}

/** Nobody can be asked for the outcome of an attempt, and why. */
interface UnknownOutcome {
  state: 'unknown';
  reason: string;
}

/** A question that failed says nothing of the attempt, because the supplier may have received the request. */
interface FailedQuestion {
  state: 'unanswered';
  reason: string;
}

/** What is known of an attempt after a request or a callback. */
export type KnownOutcome = FindResult | UnknownOutcome | FailedQuestion;

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

/** The purchase of a unit's current attempt. */
function purchaseOf(order: StoredOrder, unit: StoredUnit, now: number): SupplyRequest {
  const { id, server } = order.target;
  return {
    reference: referenceOf(order.orderId, unit),
    productCode: supplierCodeOf(order.product),
    target: { id, server, text: targetText(order) },
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
): Promise<KnownOutcome> {
  const now = worldClock();
  const reason = unaskable(supplier, unit, now);
  if (reason !== null) return { state: 'unknown', reason };
  const purchase = { ...purchaseOf(order, unit, now), supplierId: unit.supplierId };
  return parseFindResult(await inTime(supplier.find(purchase, AbortSignal.timeout(timeoutMs))));
}

/** Submits a unit, or asks for its outcome. */
async function request(
  deps: DeliveryDependencies,
  order: StoredOrder,
  { before, asked }: MarkedUnit,
): Promise<KnownOutcome> {
  const { supplier, worldClock, emit } = deps;
  const noteCall = (error?: unknown): void =>
    emit({ type: 'call', provider: supplier.name, call: 'purchases', error });
  const purchase = purchaseOf(order, asked, worldClock());
  try {
    const known =
      before.state === 'waiting'
        ? parseSupplyResult(await inTime(supplier.submit(purchase, AbortSignal.timeout(timeoutMs))))
        : await findOutcome(deps, order, asked);
    // A failure may be one of the product or the player, nobody was asked about an unknown one, and the balance has an alert of its own.
    const isHandled = known.state === 'delivered' || (known.state === 'pending' && !known.waitsFor);
    if (isHandled) noteCall();
    return known;
  } catch (error) {
    // Once, until a question succeeds: the unit keeps why the last one failed.
    if (asked.reason === null) emit({ type: 'error', error, about: purchase.reference });
    // A question may also fail because of this one purchase.
    if (before.state === 'waiting') noteCall(error);
    return { state: 'unanswered', reason: errorText(error) };
  }
}

/** A unit that is due, before and after it was marked as asked. */
interface MarkedUnit {
  before: StoredUnit;
  asked: StoredUnit;
}

/** A unit as it is submitted or asked about. One that its former supplier certainly doesn't have starts afresh. */
function asAsked(supplier: Supplier, before: StoredUnit, now: number): StoredUnit {
  const isElsewhere = elsewhereReason(supplier, before) !== null;
  const unit = isElsewhere ? { ...before, askedAt: null, supplierId: null } : before;
  const askedAt = unit.askedAt ?? now;
  const { name, abilities } = supplier;
  return {
    ...unit,
    state: 'asked',
    askedAt,
    nextAt: nextRequestAt(supplier, askedAt, now),
    supplier: name,
    findBy: abilities.findBy,
  };
}

/** A unit of another supplier, which nobody can be asked about until that one is configured again. */
function asUnknown(supplier: Supplier, unit: StoredUnit, now: number): StoredUnit[] {
  const reason = unit.state === 'waiting' ? null : elsewhereReason(supplier, unit);
  return reason === null ? [] : [{ ...unit, state: 'unknown', reason, nextAt: now + elsewhereInterval }];
}

/** Marks the order's due units as asked. */
function planAsked(
  { supplier, worldClock }: DeliveryDependencies,
  delivery: Delivery | null,
): { change: ChangeOrder | null; delivery: Delivery | null; marked: MarkedUnit[] } {
  const now = worldClock();
  const { latest } = dueMoment(supplier, now);
  const isDue = ({ nextAt }: StoredUnit): boolean => nextAt !== null && (nextAt <= now || nextAt > latest);
  const due = delivery?.units.filter(isDue) ?? [];
  if (!delivery || due.length === 0) return { change: null, delivery, marked: [] };
  const elsewhere = due.flatMap((unit) => asUnknown(supplier, unit, now));
  const marked = due
    .filter(({ unit }) => !elsewhere.some((one) => one.unit === unit))
    .map((before): MarkedUnit => ({ before, asked: asAsked(supplier, before, now) }));
  const change = unitsChange(delivery, [...marked.map(({ asked }) => asked), ...elsewhere]);
  return { change, delivery, marked };
}

/** The unit with what is now known. */
function updated(unit: StoredUnit, known: KnownOutcome): StoredUnit {
  const supplierId = ('supplierId' in known ? known.supplierId : undefined) ?? unit.supplierId;
  const settled = { ...unit, supplierId, nextAt: null, waitsFor: null, failureKind: null };
  switch (known.state) {
    case 'delivered':
      return { ...settled, state: 'delivered', serialNumber: known.serialNumber, reason: null };
    case 'failed':
      return {
        ...settled,
        state: 'failed',
        reason: known.reason,
        failureKind: known.kind ?? 'supplier_failed',
      };
    case 'unknown':
      return { ...settled, state: 'unknown', reason: known.reason };
    case 'absent':
      return { ...unit, state: 'waiting', reason: null, waitsFor: null };
    case 'pending':
      // Nothing was bought, so that it is submitted again when it is due.
      return known.waitsFor
        ? { ...unit, state: 'waiting', reason: errorText(known.reason ?? ''), waitsFor: known.waitsFor }
        : { ...unit, supplierId, reason: null, waitsFor: null };
    case 'unanswered':
      return { ...unit, reason: known.reason };
  }
}

const isOutcome = ({ state }: { state: string }): boolean => state === 'delivered' || state === 'failed';

/**
 * Whether knowledge still matters. A late outcome settles an attempt whose outcome is unknown, or that is to be submitted
 * again because the supplier said that it doesn't have it. Nothing else undoes what is stored.
 */
const isOpen = ({ state }: StoredUnit, known: KnownOutcome): boolean =>
  state === 'asked' || ((state === 'unknown' || state === 'waiting') && isOutcome(known));

/** Which attempt of which unit a result is about. */
type Attempt = Pick<StoredUnit, 'unit' | 'attempt'>;

const proofWords = (serialNumber: string): string =>
  serialNumber === '' ? 'without a serial number' : `with serial number ${serialNumber}`;

/** What a result says against the outcome that is stored; null when it agrees, or is no outcome. */
function contradictionOf(unit: StoredUnit, { attempt }: Attempt, known: KnownOutcome): string | null {
  // An attempt is only followed by another one after it failed.
  const stored = attempt < unit.attempt ? 'failed' : unit.state;
  const who = `The supplier reported attempt ${attempt}`;
  if (known.state === 'delivered' && stored === 'failed')
    return `${who} as delivered, ${proofWords(known.serialNumber)}, after it had failed.`;
  if (known.state === 'failed' && stored === 'delivered')
    return `${who} as failed (${known.reason}) after it had been delivered.`;
  // Only a delivered unit has a serial number.
  const isOther =
    known.state === 'delivered' && known.serialNumber !== '' && known.serialNumber !== unit.serialNumber;
  return unit.serialNumber && isOther
    ? `${who} as delivered with another serial number: ${known.serialNumber}.`
    : null;
}

/** Stops an attempt that is not submitted yet, because an earlier one was delivered after all. */
const stopped = (unit: StoredUnit): StoredUnit =>
  unit.state === 'waiting'
    ? {
        ...unit,
        state: 'failed',
        nextAt: null,
        reason: 'Not submitted, because an earlier attempt was delivered.',
        failureKind: 'supplier_failed',
      }
    : unit;

/** The unit after a result; the same object when the result says nothing new. */
function afterResult(unit: StoredUnit, about: Attempt, known: KnownOutcome): StoredUnit {
  if (about.attempt === unit.attempt && isOpen(unit, known)) return updated(unit, known);
  const contradiction = contradictionOf(unit, about, known);
  if (contradiction !== null) {
    if (unit.contradiction?.includes(contradiction)) return unit;
    const all = unit.contradiction === null ? contradiction : `${unit.contradiction} ${contradiction}`;
    return { ...stopped(unit), contradiction: all };
  }
  // Some suppliers confirm a delivery first, and tell its serial number later.
  const isProof = known.state === 'delivered' && known.serialNumber !== '' && !unit.serialNumber;
  return isProof ? { ...unit, serialNumber: known.serialNumber } : unit;
}

const isSame = (one: StoredUnit, other: StoredUnit): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The change that stores a unit after a result. Only a unit that was open can settle its order. */
function resultChange(delivery: Delivery, before: StoredUnit, after: StoredUnit, at: number): ChangeOrder {
  if (!isOutcome(before)) return outcomeChange(delivery, [after], 'supplier', at);
  const units = delivery.units.map((one) => (one === before ? after : one));
  return { ...unitsChange(delivery, [after]), serialNumber: serialNumbers(units) };
}

/** The outcome in what is known of an attempt; null when it is still open. */
const outcomeOf = ({ state }: KnownOutcome): 'delivered' | 'failed' | 'unknown' | null =>
  state === 'delivered' || state === 'failed' || state === 'unknown' ? state : null;

/**
 * Stores what a supplier says of an attempt. A result against a settled outcome is stored as the unit's contradiction and changes no outcome.
 *
 * @param read the order with its units, if the caller knows them
 * @returns `unmatched` when there is no such attempt.
 */
export async function storeKnowledge(
  { store, worldClock, emit }: Pick<DeliveryDependencies, 'store' | 'worldClock'> & { emit?: Emit },
  orderId: string,
  about: Attempt,
  known: KnownOutcome,
  read: Delivery | null = null,
): Promise<'applied' | 'unchanged' | 'contradiction' | 'unmatched'> {
  const { change, after, isOpposed } = await changeOrder(
    store,
    () => readDelivery(store, orderId),
    (delivery) => {
      const unit = delivery?.units.find((item) => item.unit === about.unit && item.attempt >= about.attempt);
      if (!delivery || !unit) return { change: null, after: null, isOpposed: false };
      const after = afterResult(unit, about, known);
      const change = isSame(after, unit) ? null : resultChange(delivery, unit, after, worldClock());
      return { change, after, isOpposed: contradictionOf(unit, about, known) !== null };
    },
    read,
  );
  if (!after) return 'unmatched';
  const outcome = isOpposed ? 'contradiction' : outcomeOf(known);
  const reason = isOpposed ? after.contradiction : after.reason;
  if (change && outcome !== null)
    emit?.({
      type: 'delivery',
      delivery: { orderId, unit: about.unit, attempt: about.attempt, outcome, reason },
    });
  if (isOpposed) return 'contradiction';
  return change ? 'applied' : 'unchanged';
}

/**
 * Has the supplier asked about an attempt as soon as its limit allows, by the schedule of its unit: so it is asked once,
 * whoever wants to know, and again when the question fails.
 *
 * @returns null when the attempt is not on a schedule.
 */
export async function askSoon(
  { store, supplier, worldClock }: Pick<DeliveryDependencies, 'store' | 'supplier' | 'worldClock'>,
  orderId: string,
  about: Attempt,
  supplierId: string | null,
): Promise<'applied' | 'unchanged' | null> {
  const { outcome } = await changeOrder(
    store,
    () => readDelivery(store, orderId),
    (delivery) => {
      const unit = delivery?.units.find((item) => item.unit === about.unit && item.attempt === about.attempt);
      if (!delivery || unit?.state !== 'asked' || unit.nextAt === null)
        return { change: null, outcome: null };
      const nextAt = Math.min(unit.nextAt, earliestRequestAt(supplier, worldClock()));
      const after = { ...unit, nextAt, supplierId: unit.supplierId ?? supplierId };
      return isSame(after, unit)
        ? { change: null, outcome: 'unchanged' as const }
        : { change: unitsChange(delivery, [after]), outcome: 'applied' as const };
    },
  );
  return outcome;
}

/**
 * Submits each due unit of an order, or asks for its outcome once it was submitted. The unit is marked as asked before
 * the request is sent, so that after a crash between the two the supplier is asked, and nothing is bought twice. A unit that
 * was submitted to another supplier becomes unknown, and is never asked about at this one. What the responses say is stored
 * when they arrive; this function doesn't wait for them.
 *
 * @param start starts a task in the background, unless one of that name is running
 */
export async function deliverUnits(
  deps: DeliveryDependencies,
  start: (name: string, task: () => Promise<unknown>) => void,
  orderId: string,
): Promise<void> {
  const { change, delivery, marked } = await changeOrder(
    deps.store,
    () => readDelivery(deps.store, orderId),
    (read) => planAsked(deps, read),
  );
  if (!change || !delivery) return;
  const { order, units } = delivery;
  const asked: Delivery = {
    order: changed(order, change),
    units: units.map((unit) => marked.find(({ before }) => before === unit)?.asked ?? unit),
  };
  for (const unit of marked)
    start(referenceOf(orderId, unit.asked), async () => {
      const known = await request(deps, order, unit);
      await storeKnowledge(deps, orderId, unit.asked, known, asked);
    });
}
