import type { Clock } from '../../platform/index.ts';
import type { ChangeOrder, Store, StoredOrder, StoredUnit, SupplierBalance } from '../../store/index.ts';
import { parsePurchaseResult, type Supplier } from '../../supplier/index.ts';
import type { Listing } from '../catalog/listing.ts';
import type { EmitEvent } from '../events.ts';
import { changed, changeOrder, type Delivery, readDelivery, unitsChange } from '../orders/change-order.ts';
import { errorText } from '../provider-health.ts';
import { allSuppliers, type ConfiguredSuppliers, findSupplier, offersOf } from '../suppliers.ts';
import { askSupplier } from '../waiting.ts';
import {
  dueMoment,
  earliestRequestAt,
  elsewhereInterval,
  elsewhereReason,
  findOutcome,
  type KnownOutcome,
  nextRequestAt,
  nextSubmitAt,
  purchaseOf,
  referenceOf,
} from './purchase.ts';
import { type Attempt, isSame, storeKnownOutcome } from './results.ts';

export interface DeliveryDependencies extends ConfiguredSuppliers {
  store: Store;
  worldClock: Clock;
  emit: EmitEvent;
  /** The suppliers' newest lists of the products. */
  catalog: () => Promise<{ listing: Pick<Listing, 'findAt'> }>;
  /** Returns when the store was restored from a backup, in unix milliseconds of world time; null if it never was. */
  restoredAt: () => Promise<number | null>;
}

/** A due unit before and after it was marked as asked. */
interface MarkedUnit {
  supplier: Supplier;
  before: StoredUnit;
  asked: StoredUnit;
}

/** Returns the supplier that has a unit or will sell it; undefined if none of the possible suppliers is configured here. */
function supplierOf(deps: ConfiguredSuppliers, order: StoredOrder, unit: StoredUnit): Supplier | undefined {
  const named = unit.supplier === null ? undefined : findSupplier(deps, unit.supplier);
  if (unit.state !== 'waiting') return unit.supplier === null ? deps.supplier : named;
  const [offer] = offersOf(order.product, deps);
  return named ?? (offer && findSupplier(deps, offer.supplier));
}

/**
 * Returns a unit marked as submitted or looked up. If its former supplier certainly doesn't have it, the unit starts again. A submitted
 * unit has its listed price as its cost until the supplier reports another cost.
 */
function asAsked(supplier: Supplier, before: StoredUnit, now: number, listed: number | null): StoredUnit {
  const isElsewhere = elsewhereReason({ supplier }, before) !== null;
  // The unit has waited since its first attempt, and this attempt starts now.
  const isNewAttempt = before.state === 'waiting' && before.failureKind !== null;
  const unit = isElsewhere || isNewAttempt ? { ...before, askedAt: null, supplierId: null } : before;
  const askedAt = unit.askedAt ?? now;
  const { name, abilities } = supplier;
  return {
    ...unit,
    state: 'asked',
    failureKind: null,
    askedAt,
    nextAt: nextRequestAt(supplier, askedAt, now),
    supplier: name,
    findBy: abilities.findBy,
    ...(before.state === 'waiting' && { cost: listed, costSource: listed === null ? null : 'listed' }),
  };
}

/** Marks a unit that can't be looked up or bought until its supplier is configured again. */
function asElsewhere(deps: ConfiguredSuppliers, unit: StoredUnit, now: number): StoredUnit {
  const nextAt = now + elsewhereInterval;
  return unit.state === 'waiting'
    ? { ...unit, reason: 'No supplier of its product is configured. Add one to TOPUP_SUPPLIER.', nextAt }
    : { ...unit, state: 'unknown', reason: elsewhereReason(deps, unit), nextAt };
}

/** Tells whether a request for a unit may buy it. Look-ups by the supplier's own id, and those that only read, never buy it. */
const mayBuy = ({ abilities: { findBy, findOnlyReads = false } }: Supplier, { state }: StoredUnit): boolean =>
  state === 'waiting' || (findBy === 'reference' && !findOnlyReads);

/** Marks a unit as unknown, because a unit that was open at the time of the backup may have been bought or paid back since then. */
const asRestored = (unit: StoredUnit, { name }: Supplier): StoredUnit => ({
  ...unit,
  state: 'unknown',
  supplier: name,
  nextAt: null,
  waitsFor: null,
  reason: `The store was restored from an older backup, so ${name} may have delivered it already.`,
});

/**
 * Finds the units that an operator has released by a retry since the restore; null if the order is newer than the backup, so that none are
 * held.
 */
async function findReleased(
  { store, restoredAt }: DeliveryDependencies,
  delivery: Delivery | null,
): Promise<ReadonlySet<number> | null> {
  const moment = await restoredAt();
  if (!delivery || moment === null || delivery.order.createdAt >= moment) return null;
  const history = await store.findHistory(delivery.order.orderId);
  const released = history.filter(
    ({ by, event, at }) => by === 'operator' && event === 'retried' && at >= moment,
  );
  return new Set(released.flatMap(({ attempts = [] }) => attempts.map(({ unit }) => unit)));
}

/** Plans to mark the order's due units as asked. */
function planAsked(
  deps: DeliveryDependencies,
  delivery: Delivery | null,
  { listing, released }: { listing: Pick<Listing, 'findAt'>; released: ReadonlySet<number> | null },
): { change: ChangeOrder | null; delivery: Delivery | null; marked: MarkedUnit[] } {
  const now = deps.worldClock();
  const { latest } = dueMoment(allSuppliers(deps), now);
  const isDue = ({ nextAt }: StoredUnit): boolean => nextAt !== null && (nextAt <= now || nextAt > latest);
  const due = delivery?.units.filter(isDue) ?? [];
  if (!delivery || due.length === 0) return { change: null, delivery, marked: [] };
  const left: StoredUnit[] = [];
  const marked: MarkedUnit[] = [];
  for (const before of due) {
    const supplier = supplierOf(deps, delivery.order, before);
    if (!supplier) {
      left.push(asElsewhere(deps, before, now));
      continue;
    }
    if (released && !released.has(before.unit) && mayBuy(supplier, before)) {
      left.push(asRestored(before, supplier));
      continue;
    }
    const listed = listing.findAt(delivery.order.product, supplier.name)?.price ?? null;
    marked.push({ supplier, before, asked: asAsked(supplier, before, now, listed) });
  }
  const change = unitsChange(delivery, [...marked.map(({ asked }) => asked), ...left]);
  return { change, delivery, marked };
}

/** Submits a unit, or looks up its outcome. */
async function request(
  deps: DeliveryDependencies,
  order: StoredOrder,
  { supplier, before, asked }: MarkedUnit,
): Promise<KnownOutcome> {
  const { store, worldClock, emit } = deps;
  const noteCall = (error?: unknown): void =>
    emit({ type: 'call', provider: supplier.name, call: 'purchases', error });
  const purchase = await purchaseOf(store, order, asked, worldClock());
  try {
    const known =
      before.state === 'waiting'
        ? parsePurchaseResult(await askSupplier((signal) => supplier.submit(purchase, signal)))
        : await findOutcome({ store, supplier, worldClock }, order, asked);
    // Only some results show the supplier's health: a failure may concern the product or the player, an unknown outcome involved no
    // request, and the balance has its own alert.
    const waitsFor = known.state === 'pending' ? known.waitsFor : undefined;
    if (known.state === 'delivered' || (known.state === 'pending' && !waitsFor)) noteCall();
    if (known.state !== 'pending' || !waitsFor) return known;
    const reason = known.reason ?? 'The supplier accepts no purchases now.';
    // The error is reported once per unit, like a failed look-up.
    if (asked.reason === null && waitsFor !== 'balance')
      emit({ type: 'warning', warning: `${purchase.reference} waits: ${errorText(reason)}` });
    if (waitsFor === 'supplier') noteCall(new Error(reason));
    return { ...known, reason, nextAt: nextSubmitAt(supplier, asked.askedAt ?? worldClock(), worldClock()) };
  } catch (error) {
    // The error is reported once until a look-up succeeds, because the unit keeps the reason for the last failure.
    if (asked.reason === null) emit({ type: 'error', error, about: purchase.reference });
    // A failed look-up is not recorded here, because it may concern only this purchase.
    if (before.state === 'waiting') noteCall(error);
    return { state: 'unanswered', reason: errorText(error) };
  }
}

/**
 * Schedules a look-up of an attempt as soon as the supplier's limit allows. Callers share one look-up. A failed look-up is repeated.
 *
 * @returns null if the attempt is not on a schedule.
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
      const nextAt = Math.min(unit.nextAt, earliestRequestAt(supplier, unit.nextAt, worldClock()));
      const after = { ...unit, nextAt, supplierId: unit.supplierId ?? supplierId };
      return isSame(after, unit)
        ? { change: null, outcome: 'unchanged' as const }
        : { change: unitsChange(delivery, [after]), outcome: 'applied' as const };
    },
  );
  return outcome;
}

/** Maximum number of orders to try immediately after a deposit. All other orders keep their schedule. */
const maxFunded = 1_000;

/**
 * Submits orders that wait for a supplier's balance after the balance has risen: as many as it certainly covers, and at least one. A
 * repayment by the supplier raises the balance, too.
 */
export async function submitFunded(
  store: Store,
  { supplier, balance }: Pick<SupplierBalance, 'supplier' | 'balance'>,
  now: number,
): Promise<void> {
  let left = balance;
  for (const orderId of await store.findProblemOrders({ kind: 'unfunded', supplier }, maxFunded)) {
    if (left <= 0) return;
    const { cost } = await changeOrder(
      store,
      () => readDelivery(store, orderId),
      (delivery) => {
        const isFunded = (unit: StoredUnit): boolean =>
          unit.state === 'waiting' && unit.waitsFor === 'balance' && unit.supplier === supplier;
        const due = (delivery?.units ?? []).filter(isFunded).map((unit) => ({ ...unit, nextAt: now }));
        if (!delivery || due.length === 0) return { change: null, cost: 0 };
        const cost = due.length * delivery.order.pricing.unit_price_before_promo;
        return { change: unitsChange(delivery, due), cost };
      },
    );
    left -= cost;
  }
}

/**
 * Submits each due unit of an order, or looks it up if it was submitted. The unit is marked as asked before the request, so that a crash in
 * between causes a look-up and never a second purchase. A unit that another supplier has becomes unknown, and is never looked up at this
 * supplier. Results are stored when they arrive; this function doesn't wait for them.
 *
 * @param start starts a task in the background, unless a task with the same name is running
 */
export async function deliverUnits(
  deps: DeliveryDependencies,
  start: (name: string, task: () => Promise<unknown>) => void,
  orderId: string,
): Promise<void> {
  const { listing } = await deps.catalog();
  const { change, delivery, marked } = await changeOrder(
    deps.store,
    () => readDelivery(deps.store, orderId),
    async (read) => planAsked(deps, read, { listing, released: await findReleased(deps, read) }),
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
      await storeKnownOutcome({ ...deps, configured: deps }, orderId, unit.asked, known, asked);
    });
}
