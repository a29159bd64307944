import type { CallbackOutcome } from '../../callback/index.ts';
import { askSoon } from '../../engine/delivery/deliver.ts';
import { elsewhereReason, findOutcome, type KnownOutcome } from '../../engine/delivery/purchase.ts';
import { storeKnownOutcome } from '../../engine/delivery/results.ts';
import type { EmitEvent } from '../../engine/events.ts';
import { askForReport } from '../../engine/payment-event.ts';
import { applyPaymentEvent } from '../../engine/payments.ts';
import type { ConfiguredSuppliers } from '../../engine/suppliers.ts';
import type { PaymentCallback, PaymentGateway, PaymentOutcome, PaymentReport } from '../../gateway/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { DeliveryAttemptId, Store, StoredUnit } from '../../store/index.ts';
import {
  type DeliveryCallback,
  readSupplyReference,
  type Supplier,
  supplyReference,
} from '../../supplier/index.ts';

export interface CallbackEventDependencies extends ConfiguredSuppliers {
  store: Store;
  gateway: PaymentGateway;
  worldClock: Clock;
  emit?: EmitEvent;
}

export interface CallbackResult {
  outcome: CallbackOutcome;
  /** The reason as a sentence; null if the outcome needs none. */
  reason: string | null;
  /** Id of the order, if known. */
  orderId: string | null;
}

/** Creates the result of a callback that matches nothing in the store. */
const unmatched = (reason: string): CallbackResult => ({ outcome: 'unmatched', reason, orderId: null });

/** Confirms a callback at the gateway. Returns the callback with the gateway's own report. */
async function confirmCallback(
  { store, gateway }: CallbackEventDependencies,
  callback: PaymentCallback,
): Promise<PaymentCallback | null> {
  if (!callback.confirm) return callback;
  if (gateway.kind !== 'remote' || !gateway.checkPayment)
    throw new Error(`The gateway ${gateway.name} has no checkPayment, which could confirm a callback.`);
  const order = await store.findOrderByReference(callback.reference);
  const orderId = order?.orderId ?? callback.orderId;
  if (orderId === null) return null;
  const amount =
    order?.pricing.total_price ?? (callback.report.status === 'open' ? 0 : callback.report.amount);
  const question = { orderId, reference: callback.reference, amount };
  return { ...callback, orderId, report: await askForReport(gateway.checkPayment.bind(gateway), question) };
}

/** Tells whether a callback and a report concern different payments. A gateway may report only the last payment of a reference. */
const isAnotherPayment = (reported: PaymentReport, asked: PaymentOutcome): reported is PaymentOutcome =>
  reported.status === 'paid' &&
  asked.status === 'paid' &&
  reported.amount === asked.amount &&
  reported.at !== null &&
  asked.at !== null &&
  reported.at !== asked.at;

/** Applies a gateway's callback about a payment. */
export async function applyPaymentCallback(
  deps: CallbackEventDependencies,
  callback: PaymentCallback,
): Promise<CallbackResult> {
  const { store, worldClock, emit } = deps;
  const known = await confirmCallback(deps, callback);
  if (!known) return unmatched('It names no order, so the gateway could not confirm it.');
  const { reference, orderId, report } = known;
  if (report.status === 'open') {
    const order = await store.findOrderByReference(reference);
    const isDenied = callback.report.status === 'paid';
    return {
      outcome: isDenied ? 'failed' : order ? 'unchanged' : 'unmatched',
      reason: isDenied ? 'The gateway has not confirmed the payment yet.' : null,
      orderId: order?.orderId ?? null,
    };
  }
  const apply = (event: PaymentOutcome) =>
    applyPaymentEvent({ store, now: worldClock(), emit }, { ...event, reference, orderId });
  const confirmation = await apply(report);
  const { outcome, reason, order } = isAnotherPayment(callback.report, report)
    ? await apply(callback.report)
    : confirmation;
  return { outcome, reason, orderId: order?.orderId ?? null };
}

/** An attempt with its stored data. An earlier attempt has only its number and its supplier's last response. */
interface ReadAttempt extends StoredUnit {
  orderId: string;
  isCurrent: boolean;
}

/**
 * Reads an attempt. An earlier attempt counts only if several suppliers sell the product, because only then do further attempts follow
 * automatically.
 */
async function readAttempt(
  store: Pick<Store, 'findOrder' | 'findUnits' | 'findHistory'>,
  { orderId, ...name }: DeliveryAttemptId,
): Promise<ReadAttempt | null> {
  const unit = (await store.findUnits(orderId)).find(({ unit }) => unit === name.unit);
  if (!unit) return null;
  if (unit.attempt === name.attempt) return { ...unit, orderId, isCurrent: true };
  const order = await store.findOrder(orderId);
  if ((order?.product.suppliers ?? []).length < 2) return null;
  const earlier = (await store.findHistory(orderId))
    .flatMap(({ attempts = [] }) => attempts)
    .find(({ unit, attempt }) => unit === name.unit && attempt === name.attempt);
  return earlier ? { ...unit, ...earlier, orderId, isCurrent: false } : null;
}

/** Finds a callback's purchase, by our reference or else by the supplier's id. */
async function findPurchase(
  { store, supplier }: { store: Store; supplier: Supplier },
  { reference, supplierId }: DeliveryCallback,
): Promise<DeliveryAttemptId | null> {
  if (reference !== null) return readSupplyReference(reference);
  const named = supplierId === null ? [] : await store.findAttemptsBySupplierId(supplierId);
  const attempts = (await Promise.all(named.map((name) => readAttempt(store, name)))).flatMap(
    (attempt) => attempt ?? [],
  );
  // Units of earlier versions don't name their supplier, and two suppliers may use the same ids.
  const ours = attempts.filter((attempt) => elsewhereReason({ supplier }, attempt) === null);
  const current = ours.filter(({ isCurrent }) => isCurrent);
  const open = current.filter(({ state }) => state === 'asked' || state === 'unknown');
  const candidates = [open, current, ours].find(({ length }) => length > 0) ?? [];
  return candidates.length === 1 ? (candidates[0] ?? null) : null;
}

const supplyReasons = {
  applied: null,
  unchanged: null,
  contradiction: "It contradicts the supplier's earlier report.",
  unmatched: 'No order has this purchase.',
};

/** Finds an earlier attempt if looking it up certainly buys nothing. At some suppliers, a look-up by our reference buys it. */
async function findAskable(
  store: Store,
  supplier: Supplier,
  name: DeliveryAttemptId,
): Promise<ReadAttempt | null> {
  const { findBy, findOnlyReads = false } = supplier.abilities;
  if (findBy !== 'supplierId' && !(findBy === 'reference' && findOnlyReads)) return null;
  const earlier = await readAttempt(store, name);
  return earlier && elsewhereReason({ supplier }, earlier) === null ? earlier : null;
}

/** Applies a supplier's callback about a purchase. */
export async function applyDeliveryCallback(
  configured: CallbackEventDependencies,
  supplier: Supplier,
  callback: DeliveryCallback,
): Promise<CallbackResult> {
  const { store, worldClock } = configured;
  const deps = { store, worldClock, emit: configured.emit, supplier, configured };
  const purchase = await findPurchase(deps, callback);
  const order = purchase && (await store.findOrder(purchase.orderId));
  if (!purchase || !order) return unmatched(supplyReasons.unmatched);
  const { orderId } = order;
  const unit = (await store.findUnits(orderId)).find((unit) => unit.unit === purchase.unit);
  if (!unit) return unmatched(supplyReasons.unmatched);
  const isCurrent = unit.attempt === purchase.attempt;
  // A result for an earlier attempt settles nothing, and may come from another supplier.
  const elsewhere = isCurrent ? elsewhereReason({ supplier }, unit) : null;
  if (elsewhere !== null) return { outcome: 'unmatched', reason: elsewhere, orderId };
  const apply = async (known: KnownOutcome): Promise<CallbackResult> => {
    const outcome = await storeKnownOutcome(deps, orderId, purchase, known);
    const about = supplyReference(purchase);
    const reason = outcome === 'contradiction' ? `${about}: ${supplyReasons.contradiction}` : null;
    return { outcome, reason: reason ?? supplyReasons[outcome], orderId };
  };
  const { result, supplierId } = callback;
  if (result) return apply({ ...result, supplierId: result.supplierId ?? supplierId ?? undefined });
  const asked = isCurrent ? unit : await findAskable(store, supplier, purchase);
  if (!asked)
    return { outcome: 'unchanged', reason: 'It reports an attempt that is not the current one.', orderId };
  const soon = await askSoon(deps, orderId, purchase, supplierId);
  if (soon !== null)
    return { outcome: soon, reason: 'The supplier is asked as soon as its limit allows.', orderId };
  return apply(await findOutcome(deps, order, { ...asked, supplierId: asked.supplierId ?? supplierId }));
}
