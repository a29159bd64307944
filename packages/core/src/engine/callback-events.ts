import type { CallbackOutcome } from '../callback/index.ts';
import {
  type PaymentCallback,
  type PaymentGateway,
  type PaymentReport,
  readPaymentReport,
} from '../gateway/index.ts';
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
import { storeKnowledge } from './delivery/results.ts';
import type { Emit } from './events.ts';
import { applyPaymentEvent } from './payments.ts';
import { withTimeout } from './time.ts';

export interface NewsDependencies {
  store: Store;
  gateway: PaymentGateway;
  supplier: Supplier;
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

/** How long a gateway may take to confirm a callback, in milliseconds of real time. */
const timeoutMs = 10_000;

/** Asks the gateway whether what a callback says is true; the news with the gateway's own report. */
async function confirmed(
  { store, gateway }: NewsDependencies,
  news: PaymentCallback,
): Promise<PaymentCallback | null> {
  if (!news.confirm) return news;
  if (gateway.kind !== 'remote' || !gateway.checkPayment)
    throw new Error(`The gateway ${gateway.name} has no checkPayment, which could confirm a callback.`);
  const order = await store.findOrderByReference(news.reference);
  const orderId = order?.orderId ?? news.orderId;
  if (orderId === null) return null;
  const amount = order?.pricing.total_price ?? (news.report.status === 'open' ? 0 : news.report.amount);
  const question = { orderId, reference: news.reference, amount };
  const asked = gateway.checkPayment(question, AbortSignal.timeout(timeoutMs));
  const report = await withTimeout(asked, timeoutMs, 'the gateway did not respond in time');
  return { ...news, orderId, report: readPaymentReport(report) };
}

type Outcome = Exclude<PaymentReport, { status: 'open' }>;

/**
 * Whether a callback tells of another payment than the gateway does when it is asked: of two payments with one reference,
 * a gateway may know only the last.
 */
const isAnotherPayment = (told: PaymentReport, asked: Outcome): told is Outcome =>
  told.status === 'paid' &&
  asked.status === 'paid' &&
  told.amount === asked.amount &&
  told.at !== null &&
  asked.at !== null &&
  told.at !== asked.at;

/** Applies what a gateway says of a payment. */
export async function applyPaymentCallback(
  deps: NewsDependencies,
  news: PaymentCallback,
): Promise<CallbackResult> {
  const { store, worldClock, emit } = deps;
  const known = await confirmed(deps, news);
  if (!known) return unmatched('It names no order, so the gateway could not be asked whether it is true.');
  const { reference, orderId, report } = known;
  if (report.status === 'open') {
    const order = await store.findOrderByReference(reference);
    const isDenied = news.report.status === 'paid';
    return {
      outcome: isDenied ? 'failed' : order ? 'unchanged' : 'unmatched',
      reason: isDenied ? 'The gateway, when asked, did not confirm the payment yet.' : null,
      orderId: order?.orderId ?? null,
    };
  }
  const apply = (event: Outcome) =>
    applyPaymentEvent({ store, now: worldClock(), emit }, { ...event, reference, orderId });
  const confirmation = await apply(report);
  const { outcome, reason, order } = isAnotherPayment(news.report, report)
    ? await apply(news.report)
    : confirmation;
  return { outcome, reason, orderId: order?.orderId ?? null };
}

/** The purchase that a callback names, by our reference or else by the supplier's id. */
async function findPurchase(
  { store, supplier }: Pick<NewsDependencies, 'store' | 'supplier'>,
  { reference, supplierId }: DeliveryCallback,
): Promise<(DueUnit & { attempt: number }) | null> {
  if (reference !== null) return readSupplyReference(reference);
  const named = supplierId === null ? [] : await store.findUnitsBySupplierId(supplierId);
  const found = await Promise.all(
    named.map(async ({ orderId, unit }) => {
      const units = await store.findUnits(orderId);
      return units.filter((one) => one.unit === unit).map((one) => ({ ...one, orderId }));
    }),
  );
  const isOpen = ({ state }: { state: string }): boolean => state === 'asked' || state === 'unknown';
  const ours = found.flat().filter((one) => elsewhereReason(supplier, one) === null);
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
  deps: NewsDependencies,
  news: DeliveryCallback,
): Promise<CallbackResult> {
  const { store, supplier } = deps;
  const purchase = await findPurchase(deps, news);
  const order = purchase && (await store.findOrder(purchase.orderId));
  if (!purchase || !order) return unmatched(supplyReasons.unmatched);
  const { orderId } = order;
  const unit = (await store.findUnits(orderId)).find((unit) => unit.unit === purchase.unit);
  if (!unit) return unmatched(supplyReasons.unmatched);
  // What is said of an earlier attempt settles nothing, and its supplier may have been another one.
  const elsewhere = unit.attempt === purchase.attempt ? elsewhereReason(supplier, unit) : null;
  if (elsewhere !== null) return { outcome: 'unmatched', reason: elsewhere, orderId };
  const supplierId = news.supplierId ?? undefined;
  if (news.result === null && unit.attempt !== purchase.attempt)
    return { outcome: 'unchanged', reason: 'It is about another attempt than the current one.', orderId };
  const soon = news.result === null ? await askSoon(deps, orderId, purchase, news.supplierId) : null;
  if (soon !== null)
    return { outcome: soon, reason: 'The supplier is asked as soon as its limit allows.', orderId };
  const known = news.result
    ? { ...news.result, supplierId: news.result.supplierId ?? supplierId }
    : await findOutcome(deps, order, { ...unit, supplierId: unit.supplierId ?? news.supplierId });
  const outcome = await storeKnowledge(deps, orderId, purchase, known);
  const about = supplyReference(purchase);
  const reason = outcome === 'contradiction' ? `${about}: ${supplyReasons.contradiction}` : null;
  return { outcome, reason: reason ?? supplyReasons[outcome], orderId };
}
