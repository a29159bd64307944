import type { Clock } from '../../platform/index.ts';
import type { DueCutoff, Store, StoredOrder, StoredUnit } from '../../store/index.ts';
import {
  type FindPurchaseResult,
  type PurchaseRequest,
  parseFindPurchaseResult,
  type Supplier,
  supplyReference,
} from '../../supplier/index.ts';
import { allSuppliers, type ConfiguredSuppliers, codeAt, findSupplier } from '../suppliers.ts';
import { askSupplier } from '../waiting.ts';

/** The outcome of an attempt that can't be looked up, with the reason. */
interface UnknownOutcome {
  state: 'unknown';
  reason: string;
}

/** A failed request, which proves nothing about the attempt, because the supplier may have received it. */
interface FailedQuestion {
  state: 'unanswered';
  reason: string;
}

/** The result of a request or a callback. `nextAt` is when to submit a waiting purchase again, if not by the schedule. */
export type KnownOutcome = (FindPurchaseResult & { nextAt?: number }) | UnknownOutcome | FailedQuestion;

/** Minimum and maximum time between two requests to a supplier, in milliseconds of world time. */
const minInterval = 1_000;
const maxInterval = 60_000;

/** Returns the time of the next look-up. Intervals grow with the duration of the delivery, and respect the supplier's limit. */
export const nextRequestAt = ({ abilities }: Supplier, askedAt: number, now: number): number =>
  now +
  Math.max(abilities.findIntervalMs, minInterval, Math.min(maxInterval, Math.floor((now - askedAt) / 2)));

/** Minimum time before a purchase that certainly was not made is submitted again, in milliseconds of world time. */
const minRetryInterval = 5_000;

/** Returns when to submit a purchase again if it certainly was not made. The limit for look-ups counts only if a look-up does the same. */
export function nextSubmitAt(supplier: Supplier, askedAt: number, now: number): number {
  const { findBy, findOnlyReads = false } = supplier.abilities;
  if (findBy === 'reference' && !findOnlyReads) return nextRequestAt(supplier, askedAt, now);
  return now + Math.max(minRetryInterval, Math.min(maxInterval, Math.floor((now - askedAt) / 2)));
}

/** Maximum time between two attempts at one supplier, in milliseconds of world time. */
const maxAttemptInterval = 10 * 60_000;

/** Returns when to try a unit that failed for a temporary reason again: after a minute at first, and later with each attempt. */
export const nextAttemptAt = ({ abilities }: Supplier, firstAt: number, now: number): number =>
  now +
  Math.max(abilities.findIntervalMs, 60_000, Math.min(maxAttemptInterval, Math.floor((now - firstAt) / 2)));

/**
 * Returns the earliest time to look up a purchase after a callback. The last look-up was an interval before `nextAt`, unless another
 * callback has moved `nextAt` forward.
 */
export function earliestRequestAt({ abilities }: Supplier, nextAt: number, now: number): number {
  const { findIntervalMs, callbackFindIntervalMs } = abilities;
  if (callbackFindIntervalMs === undefined) return now + Math.max(findIntervalMs, minInterval);
  if (nextAt <= now + callbackFindIntervalMs) return nextAt;
  return Math.max(now + minInterval, nextAt - findIntervalMs + callbackFindIntervalMs);
}

/** Interval for checking whether a unit's supplier is configured again, in milliseconds of world time. */
export const elsewhereInterval = 10 * 60_000;

/** Returns the cut-offs for due units: see {@link DueCutoff}. */
export const dueMoment = (suppliers: readonly Supplier[], now: number): DueCutoff => ({
  now,
  latest:
    now +
    Math.max(
      ...suppliers.map(({ abilities }) => abilities.findIntervalMs),
      minInterval,
      maxInterval,
      elsewhereInterval,
    ),
});

/** Returns the reason why a unit can't be looked up here (another supplier has it, and a look-up might buy it again); otherwise null. */
export const elsewhereReason = (
  configured: ConfiguredSuppliers<{ name: string }>,
  { supplier }: Pick<StoredUnit, 'supplier'>,
): string | null =>
  supplier === null || findSupplier(configured, supplier)
    ? null
    : `It was submitted to ${supplier}, but this server now uses ${allSuppliers(configured)
        .map(({ name }) => name)
        .join(' and ')}.`;

/** Returns our reference for a unit's current attempt. */
export const referenceOf = (orderId: string, { unit, attempt }: StoredUnit): string =>
  supplyReference({ orderId, unit, attempt });

/** Returns the reason why the supplier can no longer look up a purchase; null if it can. */
function unaskable(
  { abilities: { findBy, referenceLifetimeMs } }: Supplier,
  { askedAt, supplierId }: StoredUnit,
  now: number,
): string | null {
  if (findBy === 'none') return "The supplier can't be asked about its purchases.";
  if (findBy === 'supplierId' && supplierId === null)
    return "The supplier returned no purchase id, so its outcome can't be looked up.";
  if (referenceLifetimeMs !== null && now - (askedAt ?? now) >= referenceLifetimeMs)
    return 'The supplier returned no outcome before its time limit for status checks ended.';
  return null;
}

/** Writes the account in the supplier's format. */
const targetText = ({ game, target }: StoredOrder): string =>
  (game.target ?? '{id}{server}').replaceAll(/\{(id|server)\}/g, (placeholder) =>
    placeholder === '{id}' ? target.id : (target.server ?? ''),
  );

/**
 * Returns the loss that an operator's last retry allows for a unit, relative to its price without a promo code. The retry counts if it gave
 * the unit a new attempt, or allowed a loss. A retry that only submits a waiting unit sooner doesn't count.
 */
async function acceptedLoss(
  store: Pick<Store, 'findHistory'>,
  orderId: string,
  { unit, attempt, reason }: StoredUnit,
): Promise<number> {
  // The unit was neither tried before nor delayed.
  if (attempt === 1 && reason === null) return 0;
  const retry = (await store.findHistory(orderId)).findLast(
    ({ event, by, maxLoss, attempts }) =>
      event === 'retried' &&
      by === 'operator' &&
      (maxLoss !== undefined || (attempts?.some((earlier) => earlier.unit === unit) ?? true)),
  );
  return retry?.maxLoss ?? 0;
}

/** Returns the purchase of a unit's current attempt. */
export async function purchaseOf(
  store: Pick<Store, 'findHistory'>,
  order: StoredOrder,
  unit: StoredUnit,
  now: number,
): Promise<PurchaseRequest> {
  const { id, server } = order.target;
  return {
    reference: referenceOf(order.orderId, unit),
    productCode: codeAt(order.product, unit.supplier),
    target: { id, server, text: targetText(order) },
    // The limit is at least 1, because a supplier may treat 0 as no limit.
    maxPrice: Math.max(
      1,
      order.pricing.unit_price_before_promo + (await acceptedLoss(store, order.orderId, unit)),
    ),
    askedAt: unit.askedAt ?? now,
  };
}

/** Looks up the outcome of a unit's current attempt. Throws if the supplier gives no usable response. */
export async function findOutcome(
  {
    store,
    supplier,
    worldClock,
  }: { store: Pick<Store, 'findHistory'>; supplier: Supplier; worldClock: Clock },
  order: StoredOrder,
  unit: StoredUnit,
): Promise<KnownOutcome> {
  const now = worldClock();
  const reason = unaskable(supplier, unit, now);
  // The reason includes the unit's earlier reason, which is the result of its last request.
  if (reason !== null)
    return { state: 'unknown', reason: unit.reason === null ? reason : `${reason} Before: ${unit.reason}` };
  const purchase = { ...(await purchaseOf(store, order, unit, now)), supplierId: unit.supplierId };
  return parseFindPurchaseResult(await askSupplier((signal) => supplier.find(purchase, signal)));
}

/** A unit without a certain outcome, with the data to find it at its supplier. */
export interface PendingItem {
  orderId: string;
  unit: number;
  /** The supplier's name; null for units of earlier versions. */
  supplier: string | null;
  /** The supplier's code of the product. */
  productCode: string;
  /** Our reference, which some suppliers don't keep. */
  reference: string;
  /** The supplier's own id of the purchase; null until it gives one. */
  supplierId: string | null;
}

/** Maximum number of units to read, so that an order with a hundred units doesn't fill a log. */
const maxItems = 10;

const isPending = ({ state, contradiction }: StoredUnit): boolean =>
  state === 'asked' || state === 'unknown' || contradiction !== null;

/** Finds the first units that an operator may have to look for at the supplier. */
export async function findPendingItems(
  store: Pick<Store, 'findOrder' | 'findUnits'>,
  orderIds: readonly string[],
): Promise<PendingItem[]> {
  const pending = await Promise.all(
    orderIds.map(async (orderId) => {
      const [order, units] = await Promise.all([store.findOrder(orderId), store.findUnits(orderId)]);
      if (!order) return [];
      return units.filter(isPending).map(({ unit, attempt, supplier, supplierId }): PendingItem => {
        const reference = supplyReference({ orderId, unit, attempt });
        const productCode = codeAt(order.product, supplier);
        return { orderId, unit, supplier, productCode, reference, supplierId };
      });
    }),
  );
  return pending.flat().slice(0, maxItems);
}
