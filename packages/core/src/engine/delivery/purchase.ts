import type { Clock } from '../../platform/index.ts';
import type { DueMoment, Store, StoredOrder, StoredUnit } from '../../store/index.ts';
import {
  type FindResult,
  parseFindResult,
  type Supplier,
  type SupplyRequest,
  supplyReference,
} from '../../supplier/index.ts';
import { allSuppliers, type ConfiguredSuppliers, codeAt, findSupplier } from '../suppliers.ts';
import { askSupplier } from '../waiting.ts';

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

/** What is known of an attempt after a request or a callback. `nextAt`: when what waits is submitted again, if not by the schedule. */
export type KnownOutcome = (FindResult & { nextAt?: number }) | UnknownOutcome | FailedQuestion;

/** The shortest and the longest time between two requests to a supplier, in milliseconds of world time. */
const minInterval = 1_000;
const maxInterval = 60_000;

/** The time between two requests grows with the time that the delivery takes, and respects the supplier's limit. */
export const nextRequestAt = ({ abilities }: Supplier, askedAt: number, now: number): number =>
  now +
  Math.max(abilities.findIntervalMs, minInterval, Math.min(maxInterval, Math.floor((now - askedAt) / 2)));

/** The shortest time until what surely was not bought is submitted again, in milliseconds of world time. */
const minRetryInterval = 5_000;

/**
 * When what surely was not bought is submitted again. Where a question is such a submission, the supplier's limit for questions
 * counts; elsewhere none does.
 */
export function nextSubmitAt(supplier: Supplier, askedAt: number, now: number): number {
  const { findBy, findOnlyReads = false } = supplier.abilities;
  if (findBy === 'reference' && !findOnlyReads) return nextRequestAt(supplier, askedAt, now);
  return now + Math.max(minRetryInterval, Math.min(maxInterval, Math.floor((now - askedAt) / 2)));
}

/** The longest time between two attempts at one supplier, in milliseconds of world time. */
const maxAttemptInterval = 10 * 60_000;

/** When a unit whose last attempt failed for a cause that passes is attempted again: later each time, from a minute on. */
export const nextAttemptAt = ({ abilities }: Supplier, firstAt: number, now: number): number =>
  now +
  Math.max(abilities.findIntervalMs, 60_000, Math.min(maxAttemptInterval, Math.floor((now - firstAt) / 2)));

/**
 * The earliest moment at which a purchase may be asked about after a callback. It was asked about last an interval before `nextAt`,
 * unless another callback has brought that forward.
 */
export function earliestRequestAt({ abilities }: Supplier, nextAt: number, now: number): number {
  const { findIntervalMs, callbackFindIntervalMs } = abilities;
  if (callbackFindIntervalMs === undefined) return now + Math.max(findIntervalMs, minInterval);
  if (nextAt <= now + callbackFindIntervalMs) return nextAt;
  return Math.max(now + minInterval, nextAt - findIntervalMs + callbackFindIntervalMs);
}

/** How often to look whether the supplier of a unit is configured again, in milliseconds of world time. */
export const elsewhereInterval = 10 * 60_000;

/** When units are due: see {@link DueMoment}. */
export const dueMoment = (suppliers: readonly Supplier[], now: number): DueMoment => ({
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

/** Why a unit can't be asked about here: another supplier has it, and these might buy it again. Null when it can. */
export const elsewhereReason = (
  configured: ConfiguredSuppliers<{ name: string }>,
  { supplier }: Pick<StoredUnit, 'supplier'>,
): string | null =>
  supplier === null || findSupplier(configured, supplier)
    ? null
    : `It was submitted to ${supplier}, but this server now uses ${allSuppliers(configured)
        .map(({ name }) => name)
        .join(' and ')}.`;

/** The supplier's reference of a unit's current attempt. */
export const referenceOf = (orderId: string, { unit, attempt }: StoredUnit): string =>
  supplyReference({ orderId, unit, attempt });

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

/**
 * What an item may cost more than its price without a promo code, by the last retry by an operator that gave it a new attempt, or that
 * accepted a loss. One that only tries at once what waits takes nothing back.
 */
async function acceptedLoss(
  store: Pick<Store, 'findHistory'>,
  orderId: string,
  { unit, attempt, reason }: StoredUnit,
): Promise<number> {
  // Neither tried before nor held up.
  if (attempt === 1 && reason === null) return 0;
  const retry = (await store.findHistory(orderId)).findLast(
    ({ event, by, maxLoss, attempts }) =>
      event === 'retried' &&
      by === 'operator' &&
      (maxLoss !== undefined || (attempts?.some((earlier) => earlier.unit === unit) ?? true)),
  );
  return retry?.maxLoss ?? 0;
}

/** The purchase of a unit's current attempt. */
export async function purchaseOf(
  store: Pick<Store, 'findHistory'>,
  order: StoredOrder,
  unit: StoredUnit,
  now: number,
): Promise<SupplyRequest> {
  const { id, server } = order.target;
  return {
    reference: referenceOf(order.orderId, unit),
    productCode: codeAt(order.product, unit.supplier),
    target: { id, server, text: targetText(order) },
    // A supplier may take 0 for no limit.
    maxPrice: Math.max(
      1,
      order.pricing.unit_price_before_promo + (await acceptedLoss(store, order.orderId, unit)),
    ),
    askedAt: unit.askedAt ?? now,
  };
}

/** Asks for the outcome of a unit's current attempt. Throws when the supplier gives no usable response. */
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
  // Why the purchase is in doubt is what its last request said.
  if (reason !== null)
    return { state: 'unknown', reason: unit.reason === null ? reason : `${reason} Before: ${unit.reason}` };
  const purchase = { ...(await purchaseOf(store, order, unit, now)), supplierId: unit.supplierId };
  return parseFindResult(await askSupplier((signal) => supplier.find(purchase, signal)));
}

/** An item of which nobody knows for certain whether it was delivered, and by what it is found at its supplier. */
export interface PendingItem {
  orderId: string;
  unit: number;
  /** Null for items of earlier versions. */
  supplier: string | null;
  /** The supplier's code of the product. */
  productCode: string;
  /** Ours, which not every supplier keeps. */
  reference: string;
  /** The supplier's own id of the purchase, once it gave one. */
  supplierId: string | null;
}

/** How many items are read at most, so that an order of a hundred does not fill a log. */
const maxItems = 10;

const isPending = ({ state, contradiction }: StoredUnit): boolean =>
  state === 'asked' || state === 'unknown' || contradiction !== null;

/** The first items of orders that an operator may have to look for at their supplier. */
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
