import type { CallbackOutcome } from '../callback/index.ts';
import type { PaymentCallback, PaymentGateway, PaymentOutcome, PaymentReport } from '../gateway/index.ts';
import type { Clock } from '../platform/index.ts';
import type { DueUnit, Store } from '../store/index.ts';
import {
  type DeliveryCallback,
  readSupplyReference,
  type Supplier,
  supplyReference,
} from '../supplier/index.ts';
import { askSoon } from './delivery/deliver.ts';
import { elsewhereReason, findOutcome } from './delivery/purchase.ts';
import { storeKnownOutcome } from './delivery/results.ts';
import type { Emit } from './events.ts';
import { askForReport } from './payment-event.ts';
import { applyPaymentEvent } from './payments.ts';
import type { ConfiguredSuppliers } from './suppliers.ts';

export interface CallbackEventDependencies extends ConfiguredSuppliers {
  store: Store;
  gateway: PaymentGateway;
  worldClock: Clock;
  emit?: Emit;
}

/** What came of a callback. */
export interface CallbackResult {
  outcome: CallbackOutcome;
  /** Why, as a sentence; null when the outcome says it all. */
  reason: string | null;
  /** The order that it is about, if that is known. */
  orderId: string | null;
}

/** The result of a callback that is about nothing here. */
const unmatched = (reason: string): CallbackResult => ({ outcome: 'unmatched', reason, orderId: null });

/** Asks the gateway whether what a callback says is true; the callback with the gateway's own report. */
async function confirmed(
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

/**
 * Whether a callback tells of another payment than the gateway does when it is asked: of two payments with one reference,
 * a gateway may know only the last.
 */
const isAnotherPayment = (reported: PaymentReport, asked: PaymentOutcome): reported is PaymentOutcome =>
  reported.status === 'paid' &&
  asked.status === 'paid' &&
  reported.amount === asked.amount &&
  reported.at !== null &&
  asked.at !== null &&
  reported.at !== asked.at;

/** Applies what a gateway says of a payment. */
export async function applyPaymentCallback(
  deps: CallbackEventDependencies,
  callback: PaymentCallback,
): Promise<CallbackResult> {
  const { store, worldClock, emit } = deps;
  const known = await confirmed(deps, callback);
  if (!known) return unmatched('It names no order, so the gateway could not be asked whether it is true.');
  const { reference, orderId, report } = known;
  if (report.status === 'open') {
    const order = await store.findOrderByReference(reference);
    const isDenied = callback.report.status === 'paid';
    return {
      outcome: isDenied ? 'failed' : order ? 'unchanged' : 'unmatched',
      reason: isDenied ? 'The gateway, when asked, did not confirm the payment yet.' : null,
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

/** The purchase that a callback names, by our reference or else by the supplier's id. */
async function findPurchase(
  { store, supplier }: { store: Store; supplier: Supplier },
  { reference, supplierId }: DeliveryCallback,
): Promise<(DueUnit & { attempt: number }) | null> {
  if (reference !== null) return readSupplyReference(reference);
  const named = supplierId === null ? [] : await store.findUnitsBySupplierId(supplierId);
  const current = await Promise.all(
    named.map(async (name) => {
      const units = await store.findUnits(name.orderId);
      return units
        .filter(({ unit }) => unit === name.unit)
        .map((unit) => ({ ...unit, orderId: name.orderId }));
    }),
  );
  const isOpen = ({ state }: { state: string }): boolean => state === 'asked' || state === 'unknown';
  const ours = current.flat().filter((unit) => elsewhereReason({ supplier }, unit) === null);
  const open = ours.filter(isOpen);
  // Units of earlier versions don't name their supplier, and two suppliers may use the same ids.
  const candidates = open.length > 0 ? open : ours;
  return candidates.length === 1 ? (candidates[0] ?? null) : null;
}

const supplyReasons = {
  applied: null,
  unchanged: null,
  contradiction: 'It contradicts the outcome that the supplier reported before.',
  unmatched: 'No order has this purchase.',
};

/** Applies what a supplier says of a purchase. */
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
  // What is said of an earlier attempt settles nothing, and its supplier may have been another one.
  const elsewhere = unit.attempt === purchase.attempt ? elsewhereReason({ supplier }, unit) : null;
  if (elsewhere !== null) return { outcome: 'unmatched', reason: elsewhere, orderId };
  const supplierId = callback.supplierId ?? undefined;
  if (callback.result === null && unit.attempt !== purchase.attempt)
    return { outcome: 'unchanged', reason: 'It is about another attempt than the current one.', orderId };
  const soon = callback.result === null ? await askSoon(deps, orderId, purchase, callback.supplierId) : null;
  if (soon !== null)
    return { outcome: soon, reason: 'The supplier is asked as soon as its limit allows.', orderId };
  const known = callback.result
    ? { ...callback.result, supplierId: callback.result.supplierId ?? supplierId }
    : await findOutcome(deps, order, { ...unit, supplierId: unit.supplierId ?? callback.supplierId });
  const outcome = await storeKnownOutcome(deps, orderId, purchase, known);
  const about = supplyReference(purchase);
  const reason = outcome === 'contradiction' ? `${about}: ${supplyReasons.contradiction}` : null;
  return { outcome, reason: reason ?? supplyReasons[outcome], orderId };
}
