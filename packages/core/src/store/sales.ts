import type { HistoryEntry, Reconciliation, Refund, StoredOrder, StoredUnit } from './types.ts';

// What the orders of a shop earned, as lines that only need to be added up.

/** What is added up of sales. Amounts are integers in the smallest unit. */
export interface SalesFigures {
  /** Paid orders, and their items. */
  orders: number;
  units: number;
  /** What customers paid, fees and unique codes included. */
  turnover: number;
  /** What promo codes took off. */
  discounts: number;
  /**
   * What went back to customers or is owed to them: refunds, what the gateway paid back, deliveries that failed, and what was paid
   * over the total.
   */
  returned: number;
  /**
   * What gateways keep, also of payments that were returned, and how much of it they reported; the rest is by the rules of the
   * payment methods.
   */
  gatewayFees: number;
  reportedFees: number;
  /** What items cost that were delivered, are on their way or wait, and how much of it is only the listed price at their submission. */
  cost: number;
  listedCost: number;
  /** Such items whose cost nobody said. */
  unknownCosts: number;
}

/** What happened to a sale at a moment. */
export interface SaleLine extends SalesFigures {
  /** Unix milliseconds of world time. */
  at: number;
  game: string;
  product: string;
  method: string;
  account: string;
  /** Empty while no item was submitted. */
  supplier: string;
}

export const noFigures: SalesFigures = {
  orders: 0,
  units: 0,
  turnover: 0,
  discounts: 0,
  returned: 0,
  gatewayFees: 0,
  reportedFees: 0,
  cost: 0,
  listedCost: 0,
  unknownCosts: 0,
};

// Safe: the keys of a const table.
const figureNames = Object.keys(noFigures) as (keyof SalesFigures)[];

export function addFigures(one: SalesFigures, other: SalesFigures): SalesFigures {
  const sum = { ...noFigures };
  for (const name of figureNames) sum[name] = one[name] + other[name];
  return sum;
}

/** What is stored of an order and its money. */
export interface SoldOrder {
  order: Pick<
    StoredOrder,
    | 'orderId'
    | 'accountId'
    | 'createdAt'
    | 'paymentStatus'
    | 'buyStatus'
    | 'game'
    | 'product'
    | 'paymentMethod'
    | 'pricing'
  >;
  units: readonly StoredUnit[];
  history: readonly HistoryEntry[];
  refunds: readonly Refund[];
  /** Those of {@link reconciliationsOf}. */
  reconciliations: readonly Reconciliation[];
}

/** Of many, the payments to reconcile that are of an order, or have a reference of its money. */
export function reconciliationsOf(
  { orderId, payment }: Pick<StoredOrder, 'orderId' | 'payment'>,
  all: readonly Reconciliation[],
): Reconciliation[] {
  const own = all.filter((reconciliation) => reconciliation.orderId === orderId);
  const references = new Set([payment.reference, ...own.map(({ reference }) => reference)]);
  return all.filter(({ reference }) => references.has(reference));
}

/** When a payment was returned; an earlier version did not store it. */
const returnedAt = ({ closedAt, noticedAt }: Reconciliation): number => closedAt ?? noticedAt;

const isReturnedPayment = ({ reason, state }: Reconciliation): boolean =>
  reason !== 'refunded' && state === 'returned';

/**
 * What is owed for what was not delivered (ours): the same share of what was paid, the fee and the unique code included. What
 * was delivered is rounded down, so that the customer never gets less than the share. What was paid over the total is owed, too.
 */
export function owedInAll(received: number, total: number, delivered: number, quantity: number): number {
  const paid = Math.min(received, total);
  return paid - Math.floor((paid * delivered) / Math.max(quantity, 1)) + (received - paid);
}

/** Items of one supplier. */
interface Share {
  supplier: string;
  units: readonly StoredUnit[];
  /** How many items it stands for. */
  size: number;
}

/** The items by their suppliers, in the order of the items. */
function sharesOf(units: readonly StoredUnit[], quantity: number): Share[] {
  const suppliers = [...new Set(units.map(({ supplier }) => supplier ?? ''))];
  if (suppliers.length <= 1) return [{ supplier: suppliers[0] ?? '', units, size: quantity }];
  return suppliers.map((supplier) => {
    const own = units.filter((unit) => (unit.supplier ?? '') === supplier);
    return { supplier, units: own, size: own.length };
  });
}

/** Divides an amount by weights, so that the parts add up to it. */
function divide(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  let given = 0;
  return weights.map((weight) => {
    passed += weight;
    const part = Math.floor((amount * passed) / Math.max(whole, 1)) - given;
    given += part;
    return part;
  });
}

const isDelivered = ({ state }: StoredUnit): boolean => state === 'delivered';

/** A moment from which on so many items count as not delivered, or so much more was refunded, by a refund or beside them. */
interface Turn {
  at: number;
  lost?: number;
  refunded?: number;
  /** How much of `refunded` has left. */
  paid?: number;
  beside?: { reference: string; amount: number };
}

/** How many items counted as not delivered after each change: those that a later retry tried again, or those that are so now. */
function lossesOf({ units, history }: SoldOrder): Turn[] {
  const lostNow = units.filter((unit) => !isDelivered(unit)).length;
  let latest = Number.NEGATIVE_INFINITY;
  return history.map(({ at, to }, index) => {
    // A clock that was set back does not change the order of what happened.
    latest = Math.max(latest, at);
    const retried = history.slice(index + 1).find(({ event }) => event === 'retried')?.attempts?.length;
    return { at: latest, lost: to.buyStatus === 'Gagal' ? (retried ?? lostNow) : 0 };
  });
}

/** A refund counts when it is decided; one that the gateway paid, when it was paid, which may have been noticed later. */
const refundTurns = (refunds: readonly Refund[]): Turn[] =>
  refunds.flatMap(({ at, amount, state, closedAt, closedBy }): Turn[] => {
    const closed = closedAt ?? at;
    if (state === 'cancelled')
      return [
        { at, refunded: amount },
        { at: Math.max(at, closed), refunded: -amount },
      ];
    if (state === 'to-pay') return [{ at, refunded: amount }];
    if (closedBy === null) return [{ at: Math.min(at, closed), refunded: amount, paid: amount }];
    return [
      { at, refunded: amount },
      { at: Math.max(at, closed), paid: amount },
    ];
  });

/** What the gateway paid back is lost, unless it is a part of a refund, or was of a payment that is returned by it. */
const besideTurns = (reconciliations: readonly Reconciliation[]): Turn[] =>
  reconciliations.flatMap((reconciliation) => {
    const { reference, amount, paidAt, reason, state } = reconciliation;
    if (reason === 'refunded' && state !== 'settled') return [{ at: paidAt, beside: { reference, amount } }];
    return isReturnedPayment(reconciliation)
      ? [{ at: returnedAt(reconciliation), beside: { reference, amount: -amount } }]
      : [];
  });

/** Returns a function that adds up what was paid back beside refunds, turn by turn. Of each reference it is never below zero. */
function besideSum(): (turn: Turn) => number {
  const sums = new Map<string, number>();
  let total = 0;
  return ({ beside }) => {
    if (!beside) return total;
    const before = sums.get(beside.reference) ?? 0;
    const after = before + beside.amount;
    sums.set(beside.reference, after);
    total += Math.max(0, after) - Math.max(0, before);
    return total;
  };
}

/** What the gateway paid back of an order that is not a part of a refund, as operators have closed it. */
export function paidBackBeside(reconciliations: readonly Reconciliation[]): number {
  const add = besideSum();
  const closed = reconciliations.filter(({ state }) => state !== 'open');
  return besideTurns(closed).reduce((_, turn) => add(turn), 0);
}

/** What went back or is owed from each moment on, as differences to the moment before. */
function returnsOf(sold: SoldOrder, soldAt: number, received: number): { at: number; returned: number }[] {
  const { order, history, refunds, reconciliations } = sold;
  const { quantity, total_price: total } = order.pricing;
  const refund = history.findLast(({ event }) => event === 'refunded');
  // A refund of an earlier version has no record, and was of everything.
  const isUnrecorded =
    order.paymentStatus === 'REFUND' && refunds.length === 0 && refund?.amount === undefined;
  const refundedAt = refund?.at ?? soldAt;
  const turns: Turn[] = [
    { at: soldAt },
    ...lossesOf(sold),
    ...(isUnrecorded ? [{ at: refundedAt, refunded: received }] : refundTurns(refunds)),
    ...besideTurns(reconciliations),
  ].sort((a, b) => a.at - b.at);
  const addBeside = besideSum();
  let [lost, refunded, paid, before] = [0, 0, 0, 0];
  return turns.flatMap((turn) => {
    lost = turn.lost ?? lost;
    refunded += turn.refunded ?? 0;
    paid += turn.paid ?? 0;
    const beside = addBeside(turn);
    const owed = owedInAll(received, total, quantity - Math.min(lost, quantity), quantity);
    // What is only decided is never more than was paid; what has left may be.
    const decided = Math.min(received, Math.max(owed, refunded + beside));
    const returned = Math.max(decided, paid + beside) - before;
    before += returned;
    return returned === 0 ? [] : [{ at: Math.max(turn.at, soldAt), returned }];
  });
}

const costsOf = (
  units: readonly StoredUnit[],
): Pick<SalesFigures, 'cost' | 'listedCost' | 'unknownCosts'> => {
  // What is on its way or waits counts, too, so that a day's profit does not fall when it arrives.
  const bought = units.filter(({ state }) => state !== 'failed');
  const sum = (from: readonly StoredUnit[]): number =>
    from.reduce((total, { cost }) => total + (cost ?? 0), 0);
  return {
    cost: sum(bought),
    listedCost: sum(bought.filter(({ costSource }) => costSource === 'listed')),
    unknownCosts: bought.filter(({ cost }) => cost === null).length,
  };
};

type About = Pick<SaleLine, 'game' | 'product' | 'method' | 'account' | 'supplier'>;

const feeLine = (at: number, about: About, { fee, byRule }: { fee: number | null; byRule: number }) => ({
  ...noFigures,
  ...{ at, ...about },
  gatewayFees: fee ?? byRule,
  reportedFees: fee ?? 0,
});

/** What the gateway kept of payments that pay for nothing: those that were returned, and one that was paid back before it was noticed. */
function feeLines({ order, history, reconciliations }: SoldOrder, about: About): SaleLine[] {
  const byRule = order.pricing.payment_fee;
  const failed = history.find(({ event, fee }) => event === 'failed' && fee !== undefined);
  return [
    ...(failed ? [feeLine(failed.at, about, { fee: failed.fee ?? null, byRule })] : []),
    ...reconciliations
      .filter((payment) => payment.orderId === order.orderId && isReturnedPayment(payment))
      .map((payment) => feeLine(returnedAt(payment), about, { fee: payment.fee, byRule })),
  ].filter(({ gatewayFees }) => gatewayFees > 0);
}

/** What the gateway kept of a returned payment that was made for no known order; null of another one. */
export function strayFeeLine(payment: Reconciliation): SaleLine | null {
  if (payment.orderId !== null || !isReturnedPayment(payment) || payment.fee === null) return null;
  const about = { game: '', product: '', method: '', account: '', supplier: '' };
  return feeLine(returnedAt(payment), about, { fee: payment.fee, byRule: 0 });
}

/**
 * The lines of an order: its sale on the day of its payment, with what its items cost, and what lowers it on the days on which that
 * happens. An order that was never paid has only what the gateway kept of payments that were returned.
 */
export function saleLines(sold: SoldOrder): SaleLine[] {
  const { order, units, history } = sold;
  const { pricing } = order;
  const payment = history.find(({ event }) => event === 'paid' || event === 'settled');
  const at = payment?.paidAt ?? payment?.at ?? order.createdAt;
  const received = (payment?.event === 'settled' ? payment.amount : undefined) ?? pricing.total_price;
  const fee = payment?.fee ?? pricing.payment_fee;
  const about = {
    game: order.game.slug,
    product: order.product.code,
    method: order.paymentMethod.code,
    account: order.accountId,
  };
  const shares = sharesOf(units, pricing.quantity);
  const lines = feeLines(sold, { ...about, supplier: shares[0]?.supplier ?? '' });
  if (order.paymentStatus !== 'PAID' && order.paymentStatus !== 'REFUND') return lines;
  const sizes = shares.map(({ size }) => size);
  const [turnovers, discounts, fees, reported] = [
    divide(received, sizes),
    divide(pricing.promo_discount, sizes),
    divide(fee, sizes),
    divide(payment?.fee ?? 0, sizes),
  ];
  const sales = shares.map(({ supplier, units: own, size }, index) => ({
    ...noFigures,
    ...{ at, ...about, supplier },
    // Of one with items of several suppliers, at the first: it is one order.
    orders: index === 0 ? 1 : 0,
    units: size,
    turnover: turnovers[index] ?? 0,
    discounts: discounts[index] ?? 0,
    gatewayFees: fees[index] ?? 0,
    reportedFees: reported[index] ?? 0,
    ...costsOf(own),
  }));
  // What was not delivered lowers the sales of its supplier.
  const failed = shares.map(({ units: own }) => own.filter((unit) => !isDelivered(unit)).length);
  const weights = failed.some((count) => count > 0) ? failed : sizes;
  const returns = returnsOf(sold, at, received).flatMap(({ at: returnedAt, returned }) =>
    divide(returned, weights).flatMap((part, index) =>
      part === 0
        ? []
        : [
            {
              ...noFigures,
              at: returnedAt,
              ...about,
              supplier: shares[index]?.supplier ?? '',
              returned: part,
            },
          ],
    ),
  );
  return [...sales, ...returns, ...lines];
}
