import {
  type HistoryEntry,
  type OrderState,
  owedInAll,
  type SoldOrder,
  type StoredOrder,
} from '../store/index.ts';
import { isOpen } from './operator-plans.ts';
import { serialNumbers } from './orders/change-order.ts';
import { initialState, isSame, operatorStates, transitions } from './orders/states.ts';
import { amountReceived, amountRefunded, refundBalance, sum } from './refunds.ts';

/** Rules that a store must keep, by the names that operators see. */
export const verifiedRules = [
  'history',
  'items',
  'attempts',
  'purchases',
  'amounts',
  'refunds',
  'promos',
  'reports',
  'keys',
  'events',
  'counts',
  'places',
  'owners',
  'rows',
] as const;
export type VerifiedRule = (typeof verifiedRules)[number];

/** A contradiction in the data of a store. */
export interface Difference {
  rule: VerifiedRule;
  /** The order concerned; null if there is none. */
  orderId: string | null;
  /** A sentence with the stored and the expected value. */
  sentence: string;
}

/** All data about one order in a store. */
export interface OrderRecords extends SoldOrder {
  order: StoredOrder;
  /** Versions in its history, except its creation. */
  versions: readonly number[];
  /** Columns for constraints that repeat its prices. */
  columns: { totalPrice: number; uniqueCode: number };
  /** The use of its promo code. */
  claim: { code: string; isReleased: boolean } | null;
}

/** The places where customers' money is, as integers in the smallest unit that add up to `received`. */
export interface MoneyParts {
  received: number;
  delivered: number;
  onItsWay: number;
  owed: number;
  paidBack: number;
  /** Money that matches no order, until an operator settles or returns it. */
  toReconcile: number;
}

const words = ({ paymentStatus, buyStatus }: OrderState): string => `${paymentStatus} / ${buyStatus}`;
const isPaid = ({ paymentStatus }: OrderState): boolean =>
  paymentStatus === 'PAID' || paymentStatus === 'REFUND';

/** Tells whether an event can cause a change of state. An operator's decision about a paid order keeps it paid. */
function isPossible({ event, by, from, to }: HistoryEntry): boolean {
  if (event === 'noted') return isSame(from, to);
  if (event === 'retried')
    return words(to) === 'PAID / Proses' && operatorStates.retried.some((state) => isSame(state, from));
  const { from: allowed, to: next } = transitions[event];
  if (allowed.some((state) => isSame(state, from)) && isSame(to, next)) return true;
  if (by !== 'operator' || !isPaid(from)) return false;
  return event === 'refunded'
    ? isSame(from, to) || words(to) === 'REFUND / Gagal'
    : (event === 'delivered' || event === 'undelivered') && to.paymentStatus === from.paymentStatus;
}

/** Checks that the history explains every state. */
function* ofHistory({ order, history, versions }: OrderRecords): Generator<string> {
  let state: OrderState = initialState;
  for (const [index, entry] of history.entries()) {
    const about = `its change ${index + 1}, ${entry.event},`;
    if (!isSame(entry.from, state))
      yield `${about} begins at ${words(entry.from)}, but the order was ${words(state)}`;
    else if (!isPossible(entry)) yield `${about} can't change ${words(entry.from)} to ${words(entry.to)}`;
    state = entry.to;
  }
  if (!isSame(state, order)) yield `it is ${words(order)}, but its history ends with ${words(state)}`;
  const isInOrder = versions.every((version, index) => version > (versions[index - 1] ?? 1));
  if (!isInOrder || (versions.at(-1) ?? 1) > order.version)
    yield `its history has the versions ${versions.join(', ')}, but the order has ${order.version}`;
}

/** Checks that a paid order has its units, in states that fit the order's. */
function* ofItems({ order, units }: OrderRecords): Generator<string> {
  const { quantity } = order.pricing;
  const expected = isPaid(order) ? quantity : 0;
  const numbers = units.map(({ unit }) => unit);
  if (numbers.length !== expected || numbers.some((unit, index) => unit !== index + 1))
    yield `it has the items ${numbers.join(', ') || 'none'}, but ${expected === 0 ? 'was never paid' : `its quantity is ${quantity}`}`;
  if (!isPaid(order)) return;
  const open = units.filter(isOpen).length;
  const failed = units.filter(({ state }) => state === 'failed').length;
  const fits = {
    Proses: open > 0,
    Sukses: open === 0 && failed === 0,
    Gagal: open === 0 && (failed > 0 || order.paymentStatus === 'REFUND'),
    Pending: false,
    Batal: false,
  };
  if (!fits[order.buyStatus])
    yield `it is ${words(order)}, but ${open} of its ${units.length} items have no outcome and ${failed} failed`;
  for (const { unit, state, nextAt } of units)
    if (nextAt !== null && (state === 'delivered' || state === 'failed'))
      yield `item ${unit} is ${state}, but a status check is still scheduled`;
  const proofs = serialNumbers(units);
  if (open === 0 && order.serialNumber !== proofs)
    yield `its serial number is ${order.serialNumber ?? 'none'}, but its items have ${proofs ?? 'none'}`;
}

/** Checks that every attempt was made once, in sequence. */
function* ofAttempts({ units, history }: OrderRecords): Generator<string> {
  const earlier = history.flatMap(({ attempts = [] }) => attempts);
  for (const { unit, attempt } of units) {
    const before = earlier.filter((past) => past.unit === unit).map((past) => past.attempt);
    if (new Set([...before, attempt]).size !== before.length + 1 || before.some((past) => past > attempt))
      yield `item ${unit} is at attempt ${attempt}, but its history has the attempts ${before.join(', ')}`;
  }
}

/** Checks that every unit was bought at most once. */
function* ofPurchases({ units, history }: OrderRecords): Generator<string> {
  const seen = new Set<string>();
  for (const { unit, supplier, supplierId } of [
    ...history.flatMap(({ attempts = [] }) => attempts),
    ...units,
  ]) {
    if (supplierId === null) continue;
    const purchase = `${supplierId} at ${supplier ?? 'its supplier'}`;
    if (seen.has(purchase)) yield `item ${unit} has the purchase ${purchase}, which another attempt also has`;
    seen.add(purchase);
  }
}

/** Checks that prices add up, and that a paid order has a payment. */
function* ofAmounts({ order, history, columns, reconciliations }: OrderRecords): Generator<string> {
  const { quantity, unit_price_after_promo, payment_fee, unique_code, total_price } = order.pricing;
  const total = unit_price_after_promo * quantity + payment_fee + unique_code;
  if (total !== total_price) yield `its total is ${total_price}, but its prices add up to ${total}`;
  if (columns.totalPrice !== total_price || columns.uniqueCode !== unique_code)
    yield `its row has the total ${columns.totalPrice} and the unique code ${columns.uniqueCode}, but the order ${total_price} and ${unique_code}`;
  const payment = history.find(({ event }) => event === 'paid' || event === 'settled');
  if (isPaid(order) !== (payment !== undefined))
    yield `it is ${order.paymentStatus}, but its history has ${payment ? 'a payment' : 'no payment'}`;
  const received = amountReceived(order, reconciliations);
  if (payment?.event === 'settled' && payment.amount !== undefined && payment.amount !== received)
    yield `${payment.amount} was settled for it, but the payment that was settled is ${received}`;
  const settled = reconciliations.filter(
    ({ orderId, state, reason }) => orderId === order.orderId && state === 'settled' && reason !== 'refunded',
  ).length;
  const settlements = history.filter(({ event }) => event === 'settled').length;
  if (settled !== settlements)
    yield `${settled} payments are settled for it, but its history has ${settlements} settlements`;
}

/** Returns the amount that operators and the gateway decided to pay back; null for earlier versions, which stored no amount. */
function decidedRefunds({ order, history }: OrderRecords): number | null {
  let decided = 0;
  for (const { event, amount } of history) {
    if (event === 'refunded' && amount === undefined) return null;
    if (event === 'refunded') decided += amount ?? 0;
    // The amount by which a payment exceeds the total is paid back.
    if (event === 'settled') decided += Math.max(0, (amount ?? 0) - order.pricing.total_price);
  }
  return decided;
}

/** Checks that refunds don't exceed payments. Repayments by a gateway may have any amount, because they have already happened. */
function* ofRefunds(records: OrderRecords): Generator<string> {
  const { order, refunds, reconciliations } = records;
  const [decided, recorded] = [decidedRefunds(records), sum(refunds)];
  if (decided !== null && decided !== recorded)
    yield `its history has refunds of ${decided}, but the stored refunds are ${recorded}`;
  const refunded = amountRefunded(
    refunds.filter(({ state, closedBy }) => state !== 'paid' || closedBy !== null),
  );
  const received = isPaid(order) ? amountReceived(order, reconciliations) : 0;
  if (refunded > received)
    yield `its refunds, without refunds by the gateway, are ${refunded}, but ${received} was paid for it`;
  for (const { refundId, units } of refunds)
    if (units.some((unit) => unit < 1 || unit > order.pricing.quantity))
      yield `refund ${refundId} is for the items ${units.join(', ')}, but its quantity is ${order.pricing.quantity}`;
}

/** Checks that an open order holds its promo use. */
function* ofPromos({ order, history, claim }: OrderRecords): Generator<string> {
  const { promo_code: code } = order.pricing;
  if ((claim?.code ?? null) !== code)
    yield `its promo code is ${code ?? 'none'}, but it uses ${claim?.code ?? 'none'}`;
  if (!claim) return;
  const wasClosed = history.some(({ event }) => event === 'expired' || event === 'failed');
  const isClosed = order.buyStatus === 'Batal';
  if (isClosed && !claim.isReleased) yield `it is ${words(order)}, but still uses ${claim.code}`;
  // An order that was closed and then paid has lost its promo use if other orders took it.
  if (claim.isReleased && !wasClosed)
    yield `it is ${words(order)}, but no longer counts as a use of ${claim.code}`;
}

const rules: Partial<Record<VerifiedRule, (records: OrderRecords) => Iterable<string>>> = {
  history: ofHistory,
  items: ofItems,
  attempts: ofAttempts,
  purchases: ofPurchases,
  amounts: ofAmounts,
  refunds: ofRefunds,
  promos: ofPromos,
};

/** Finds contradictions in an order's records; none if they agree. */
export function verifyOrder(records: OrderRecords): Difference[] {
  const { orderId } = records.order;
  return verifiedRules.flatMap((rule) =>
    [...(rules[rule]?.(records) ?? [])].map((sentence) => ({ rule, orderId, sentence })),
  );
}

/** Locates the money of a paid order; null for any other order. A goodwill refund for delivered units counts as paid back. */
export function moneyOf(records: OrderRecords): MoneyParts | null {
  const { order, units } = records;
  if (!isPaid(order)) return null;
  const { received, refunded } = refundBalance(order, records);
  const arrived = units.filter(({ state }) => state === 'delivered').length;
  const owedFor = (delivered: number): number =>
    owedInAll(received, order.pricing.total_price, delivered, units.length);
  const undelivered = owedFor(arrived + units.filter(isOpen).length);
  const paidBack = Math.min(received, refunded);
  const owed = Math.max(0, undelivered - paidBack);
  const onItsWay = Math.min(owedFor(arrived) - undelivered, received - paidBack - owed);
  const delivered = received - onItsWay - owed - paidBack;
  return { received, delivered, onItsWay, owed, paidBack, toReconcile: 0 };
}
