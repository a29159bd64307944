import type { Clock } from '../../platform/index.ts';
import type {
  ChangeOrder,
  EarlierAttempt,
  HistoryEntry,
  Store,
  StoredOrder,
  StoredUnit,
} from '../../store/index.ts';
import { supplyReference } from '../../supplier/index.ts';
import type { EmitEvent } from '../events.ts';
import {
  changeOrder,
  type Delivery,
  outcomeChange,
  readDelivery,
  serialNumbers,
  unitsChange,
  withChanged,
} from '../orders/change-order.ts';
import { waiting } from '../orders/states.ts';
import { errorText } from '../provider-health.ts';
import { type ConfiguredSuppliers, findSupplier, type Offer, offersOf } from '../suppliers.ts';
import { type KnownOutcome, nextAttemptAt, nextSubmitAt } from './purchase.ts';

/** Returns the cost of a purchase, if the supplier's response has it. */
const costOf = (known: KnownOutcome): Pick<StoredUnit, 'cost' | 'costSource'> | null =>
  'cost' in known && known.cost !== undefined ? { cost: known.cost, costSource: 'supplier' } : null;

/** Prepares a unit to be submitted again, with the listed price as its cost. */
const unbought = ({ cost, costSource }: StoredUnit) => ({
  state: 'waiting' as const,
  cost: costSource === 'listed' ? cost : null,
  costSource: costSource === 'listed' ? costSource : null,
});

/** Returns the supplier's own id of the purchase, if the response has it. */
const idIn = (known: KnownOutcome): string | undefined =>
  'supplierId' in known ? known.supplierId : undefined;

function updated(before: StoredUnit, known: KnownOutcome): StoredUnit {
  const unit = { ...before, ...costOf(known) };
  const supplierId = idIn(known) ?? unit.supplierId;
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
      return { ...unit, ...unbought(before), reason: null, waitsFor: null };
    case 'pending':
      // Nothing was bought, so the unit is submitted again when it is due.
      return known.waitsFor
        ? {
            ...unit,
            ...unbought(before),
            reason: errorText(known.reason ?? ''),
            waitsFor: known.waitsFor === 'balance' ? 'balance' : null,
            nextAt: known.nextAt ?? unit.nextAt,
          }
        : { ...unit, supplierId, reason: null, waitsFor: null };
    case 'unanswered':
      return { ...unit, reason: known.reason };
  }
}

const isOutcome = ({ state }: { state: string }): boolean => state === 'delivered' || state === 'failed';

/**
 * Tells whether a result can still change a unit. A late outcome settles an attempt with an unknown outcome, or an attempt that will be
 * submitted again because the supplier denied having it. Nothing else changes a stored outcome.
 */
const isOpen = ({ state }: StoredUnit, known: KnownOutcome): boolean =>
  state === 'asked' || ((state === 'unknown' || state === 'waiting') && isOutcome(known));

/** Identifies an attempt of a unit. */
export type Attempt = Pick<StoredUnit, 'unit' | 'attempt'>;

const proofWords = (serialNumber: string): string =>
  serialNumber === '' ? 'without a serial number' : `with serial number ${serialNumber}`;

/** Describes how a result contradicts the stored outcome; null if they agree, or if the result is not an outcome. */
function contradictionOf(unit: StoredUnit, { attempt }: Attempt, known: KnownOutcome): string | null {
  // If another attempt followed an attempt, the earlier attempt has failed.
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

/** Stops an attempt before its submission, because an earlier attempt was delivered after all. */
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

/** Applies a result to a unit; returns the same object if nothing changes. */
function afterResult(unit: StoredUnit, about: Attempt, known: KnownOutcome): StoredUnit {
  if (about.attempt === unit.attempt && isOpen(unit, known)) return updated(unit, known);
  const contradiction = contradictionOf(unit, about, known);
  if (contradiction !== null) {
    if (unit.contradiction?.includes(contradiction)) return unit;
    const all = unit.contradiction === null ? contradiction : `${unit.contradiction} ${contradiction}`;
    return { ...stopped(unit), contradiction: all };
  }
  // Some suppliers confirm a delivery first, and send its serial number later.
  const isProof = known.state === 'delivered' && known.serialNumber !== '' && !unit.serialNumber;
  return isProof ? { ...unit, serialNumber: known.serialNumber } : unit;
}

/** Tells whether a unit was tried, and now waits until its supplier accepts it. */
export const isHeldUp = ({ state, reason, nextAt }: StoredUnit): boolean =>
  state === 'waiting' && reason !== null && nextAt !== null;

/** Tells whether a unit's current attempt was submitted, not only an earlier attempt. */
export const isSubmitted = ({ state, askedAt, failureKind }: StoredUnit): boolean =>
  askedAt !== null && !(state === 'waiting' && failureKind !== null);

/** Tells whether a failure is specific to the supplier. A problem with the player's account would recur at another supplier. */
const isOfSupplier = ({ failureKind }: StoredUnit): boolean =>
  failureKind === 'supplier_failed' || failureKind === 'product_unavailable';

/** Returns the earlier attempts of a unit since an operator's last retry. */
function triedBefore(history: readonly HistoryEntry[], unit: number): EarlierAttempt[] {
  const ofUnit = ({ attempts = [] }: HistoryEntry) => attempts.filter((attempt) => attempt.unit === unit);
  const start = history.findLastIndex((entry) => entry.by === 'operator' && ofUnit(entry).length > 0);
  return history.slice(start + 1).flatMap(ofUnit);
}

/**
 * Returns the next attempt of a unit that certainly was not bought, or null. It uses the next untried supplier in the order's offers. After
 * a failure, it may use the first supplier that only delayed the unit, or the same supplier at a later time if the reason is temporary.
 * Unknown and contradicted outcomes are left to an operator.
 */
function nextAttempt(
  configured: ConfiguredSuppliers,
  order: StoredOrder,
  {
    before,
    settled,
    isTemporary,
    now,
    history,
  }: {
    before: StoredUnit;
    settled: StoredUnit;
    isTemporary: boolean;
    now: number;
    history: readonly HistoryEntry[];
  },
): StoredUnit | null {
  const wasOpen = before.state === 'asked' || before.state === 'waiting';
  const isUnbought = (settled.state === 'failed' && isOfSupplier(settled)) || isHeldUp(settled);
  const isInDelivery = order.paymentStatus === 'PAID' && order.buyStatus === 'Proses';
  if (!wasOpen || !isUnbought || !isInDelivery || settled.contradiction !== null) return null;
  const offers = offersOf(order.product, configured);
  const at = offers.findIndex(({ supplier }) => supplier === settled.supplier);
  const tried = triedBefore(history, settled.unit);
  const lastAt = ({ supplier }: Offer) => tried.findLast((attempt) => attempt.supplier === supplier);
  const untried = at < 0 ? undefined : offers.slice(at + 1).find((offer) => !lastAt(offer));
  const heldUp = offers.find((offer, index) => index !== at && lastAt(offer)?.isHeldUp);
  const again = heldUp ?? (isTemporary ? offers[at] : undefined);
  const offer = untried ?? (settled.state === 'failed' ? again : undefined);
  const next = offer && findSupplier(configured, offer.supplier);
  if (!next) return null;
  // An order counts as stuck from its first attempt.
  const askedAt = tried[0]?.askedAt ?? settled.askedAt ?? now;
  const laterAt = isTemporary ? nextAttemptAt(next, askedAt, now) : nextSubmitAt(next, now, now);
  return {
    ...waiting(settled.unit, settled.attempt + 1, untried ? now : laterAt),
    supplier: next.name,
    findBy: next.abilities.findBy,
    ...(!untried && {
      ...unbought(before),
      askedAt,
      reason: settled.reason,
      failureKind: settled.failureKind,
    }),
  };
}

/** Creates the history entry that records an attempt when another one follows. */
const followedEntry = (
  { paymentStatus, buyStatus }: StoredOrder,
  followed: StoredUnit,
  isTemporary: boolean,
  at: number,
): HistoryEntry => ({
  at,
  event: 'retried',
  by: 'supplier',
  from: { paymentStatus, buyStatus },
  to: { paymentStatus, buyStatus },
  attempts: [
    {
      unit: followed.unit,
      attempt: followed.attempt,
      askedAt: followed.askedAt,
      supplier: followed.supplier,
      supplierId: followed.supplierId,
      reason: followed.reason,
      ...((isTemporary || isHeldUp(followed)) && { isHeldUp: true }),
    },
  ],
});

export const isSame = (a: StoredUnit, b: StoredUnit): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Creates the change that stores a result, and notes a contradiction. Only a unit that was open can settle its order. */
function resultChange(
  delivery: Delivery,
  { before, after, note }: { before: StoredUnit; after: StoredUnit; note: string | null },
  at: number,
): ChangeOrder {
  if (!isOutcome(before)) return outcomeChange(delivery, [after], 'supplier', at);
  const units = withChanged(delivery.units, [after]);
  const change = { ...unitsChange(delivery, [after]), serialNumber: serialNumbers(units) };
  const { to } = change;
  return note === null
    ? change
    : { ...change, entry: { at, event: 'noted', by: 'supplier', from: to, to, note } };
}

/** Returns the outcome in a result; null while it is open. */
const outcomeOf = ({ state }: KnownOutcome): 'delivered' | 'failed' | 'unknown' | null =>
  state === 'delivered' || state === 'failed' || state === 'unknown' ? state : null;

/**
 * Stores a supplier's result for an attempt. If it contradicts a settled outcome, only the contradiction is stored.
 *
 * @param read the order with its units, if the caller knows them
 * @returns `unmatched` if the attempt is not found.
 */
export async function storeKnownOutcome(
  {
    store,
    worldClock,
    emit,
    configured,
  }: {
    store: Store;
    worldClock: Clock;
    emit?: EmitEvent | undefined;
    /** Other suppliers for a unit that certainly was not bought. If left out, the unit is not bought elsewhere. */
    configured?: ConfiguredSuppliers | undefined;
  },
  orderId: string,
  about: Attempt,
  known: KnownOutcome,
  read: Delivery | null = null,
): Promise<'applied' | 'unchanged' | 'contradiction' | 'unmatched'> {
  const isUnbought = known.state === 'failed' || (known.state === 'pending' && known.waitsFor);
  const isTemporary = known.state === 'failed' && known.isTemporary === true;
  const history = configured && isUnbought ? await store.findHistory(orderId) : [];
  const { change, after, isOpposed } = await changeOrder(
    store,
    () => readDelivery(store, orderId),
    (delivery) => {
      const unit = delivery?.units.find((item) => item.unit === about.unit && item.attempt >= about.attempt);
      if (!delivery || !unit) return { change: null, after: null, isOpposed: false };
      const now = worldClock();
      const after = afterResult(unit, about, known);
      const next =
        configured &&
        isUnbought &&
        nextAttempt(configured, delivery.order, { before: unit, settled: after, isTemporary, now, history });
      if (next) {
        const change = {
          ...unitsChange(delivery, [next]),
          entry: followedEntry(
            delivery.order,
            { ...after, supplierId: idIn(known) ?? after.supplierId },
            isTemporary,
            now,
          ),
        };
        return { change, after, isOpposed: false };
      }
      const contradiction = contradictionOf(unit, about, known);
      const note = contradiction && `${supplyReference({ orderId, ...about })}: ${contradiction}`;
      const change = isSame(after, unit) ? null : resultChange(delivery, { before: unit, after, note }, now);
      return { change, after, isOpposed: contradiction !== null };
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
