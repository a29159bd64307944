import type { HistoryEntry, Reconciliation, Refund, StoredOrder, StoredUnit } from './types.ts';

/** Figures of sales. Amounts are integers in the smallest unit. */
export interface SalesFigures {
  /** Number of paid orders, and of their units. */
  orders: number;
  units: number;
  /** Payments of customers, including fees and unique codes. */
  turnover: number;
  /** Discounts by promo codes. */
  discounts: number;
  /** Money that customers got back or are owed: refunds, repayments by the gateway, failed deliveries, and amounts paid above the total. */
  returned: number;
  /**
   * Fees that gateways keep, including those for returned payments, and the part that gateways reported. The rest is computed by the rules
   * of the payment methods.
   */
  gatewayFees: number;
  reportedFees: number;
  /** Costs of units that are delivered, in delivery or waiting, and the part that is only the listed price at submission. */
  cost: number;
  listedCost: number;
  /** Number of these units with an unknown cost. */
  unknownCosts: number;
}

/** An event of a sale, with its effect on the figures. */
export interface SaleLine extends SalesFigures {
  /** Time of the event, in unix milliseconds of world time. */
  at: number;
  game: string;
  product: string;
  method: string;
  account: string;
  /** The supplier's name; empty before a unit is submitted. */
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

// Safe: these are the keys of a constant table.
const figureNames = Object.keys(noFigures) as (keyof SalesFigures)[];

export function addFigures(first: SalesFigures, second: SalesFigures): SalesFigures {
  const sum = { ...noFigures };
  for (const name of figureNames) sum[name] = first[name] + second[name];
  return sum;
}

/** Stored data about an order and its money. */
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
  /** The result of {@link reconciliationsOf}. */
  reconciliations: readonly Reconciliation[];
}

/** Selects the payments to reconcile that belong to an order, or have the reference of one of its payments. */
export function reconciliationsOf(
  { orderId, payment }: Pick<StoredOrder, 'orderId' | 'payment'>,
  all: readonly Reconciliation[],
): Reconciliation[] {
  const own = all.filter((reconciliation) => reconciliation.orderId === orderId);
  const references = new Set([payment.reference, ...own.map(({ reference }) => reference)]);
  return all.filter(({ reference }) => references.has(reference));
}

/** Returns when a payment was returned, or when it was noticed if an earlier version closed it without a time. */
const returnedAt = ({ closedAt, noticedAt }: Reconciliation): number => closedAt ?? noticedAt;

const isReturnedPayment = ({ reason, state }: Reconciliation): boolean =>
  reason !== 'refunded' && state === 'returned';

/**
 * Returns the amount owed for undelivered units (ours): their share of the payment, including the fee and the unique code. The delivered
 * share is rounded down in favour of the customer. An amount paid above the total is owed, too.
 */
export function owedInAll(received: number, total: number, delivered: number, quantity: number): number {
  const paid = Math.min(received, total);
  return paid - Math.floor((paid * delivered) / Math.max(quantity, 1)) + (received - paid);
}

/** Units of one supplier. */
interface Share {
  supplier: string;
  units: readonly StoredUnit[];
  /** Number of its units. */
  size: number;
}

/** Groups units by supplier, in the order of the units. */
function sharesOf(units: readonly StoredUnit[], quantity: number): Share[] {
  const suppliers = [...new Set(units.map(({ supplier }) => supplier ?? ''))];
  if (suppliers.length <= 1) return [{ supplier: suppliers[0] ?? '', units, size: quantity }];
  return suppliers.map((supplier) => {
    const own = units.filter((unit) => (unit.supplier ?? '') === supplier);
    return { supplier, units: own, size: own.length };
  });
}

/** Divides an amount by weights. The parts add up to the amount. */
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

/** The time since which this number of units count as undelivered, or at which this amount was paid back (by a refund or otherwise). */
interface Turn {
  at: number;
  lost?: number;
  refunded?: number;
  /** The part of `refunded` that was paid. */
  paid?: number;
  beside?: { reference: string; amount: number };
}

/** Returns the number of undelivered units after each change: those that a later retry tried again, and those undelivered now. */
function lossesOf({ units, history }: SoldOrder): Turn[] {
  const lostNow = units.filter((unit) => !isDelivered(unit)).length;
  let latest = Number.NEGATIVE_INFINITY;
  return history.map(({ at, to }, index) => {
    // The sequence of events stays right even if the clock was set back.
    latest = Math.max(latest, at);
    const retried = history.slice(index + 1).find(({ event }) => event === 'retried')?.attempts?.length;
    return { at: latest, lost: to.buyStatus === 'Gagal' ? (retried ?? lostNow) : 0 };
  });
}

/** Returns the effect of refunds. A refund counts when it is decided, or when the gateway paid it. */
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

/** Returns the effect of repayments by the gateway. They are a loss, unless they are part of a refund, or return an unmatched payment. */
const besideTurns = (reconciliations: readonly Reconciliation[]): Turn[] =>
  reconciliations.flatMap((reconciliation) => {
    const { reference, amount, paidAt, reason, state } = reconciliation;
    if (reason === 'refunded' && state !== 'settled') return [{ at: paidAt, beside: { reference, amount } }];
    return isReturnedPayment(reconciliation)
      ? [{ at: returnedAt(reconciliation), beside: { reference, amount: -amount } }]
      : [];
  });

/** Creates a function that adds up repayments outside of refunds. The sum of each reference never falls below zero. */
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

/** Returns the total of the gateway's repayments for an order outside of refunds, as far as operators have closed them. */
export function paidBackBeside(reconciliations: readonly Reconciliation[]): number {
  const add = besideSum();
  const closed = reconciliations.filter(({ state }) => state !== 'open');
  return besideTurns(closed).reduce((_, turn) => add(turn), 0);
}

/** Returns the amounts paid back or owed over time, as changes from the previous amount. */
function returnsOf(sold: SoldOrder, soldAt: number, received: number): { at: number; returned: number }[] {
  const { order, history, refunds, reconciliations } = sold;
  const { quantity, total_price: total } = order.pricing;
  const refund = history.findLast(({ event }) => event === 'refunded');
  // Refunds by earlier versions have no record, and were for the whole payment.
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
    // Refunds that are only decided can't exceed the payment, but money that was already paid back can.
    const decided = Math.min(received, Math.max(owed, refunded + beside));
    const returned = Math.max(decided, paid + beside) - before;
    before += returned;
    return returned === 0 ? [] : [{ at: Math.max(turn.at, soldAt), returned }];
  });
}

const costsOf = (
  units: readonly StoredUnit[],
): Pick<SalesFigures, 'cost' | 'listedCost' | 'unknownCosts'> => {
  // Waiting units and units in delivery count as well, so that a day's profit doesn't fall on delivery.
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
  at,
  ...about,
  gatewayFees: fee ?? byRule,
  reportedFees: fee ?? 0,
});

/** Returns the gateway fees of payments that pay for no order: returned payments, and a payment that was paid back before it was noticed. */
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

/** Returns the gateway's fee for a returned payment without a known order; null for any other payment. */
export function strayFeeLine(payment: Reconciliation): SaleLine | null {
  if (payment.orderId !== null || !isReturnedPayment(payment) || payment.fee === null) return null;
  const about = { game: '', product: '', method: '', account: '', supplier: '' };
  return feeLine(returnedAt(payment), about, { fee: payment.fee, byRule: 0 });
}

/**
 * Returns the lines of an order: its sale on the day of payment, with the costs of its units, and every reduction on the day on which it
 * happened. An unpaid order has only the gateway's fees for returned payments.
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
    at,
    ...about,
    supplier,
    // An order with several suppliers counts once, for the first supplier.
    orders: index === 0 ? 1 : 0,
    units: size,
    turnover: turnovers[index] ?? 0,
    discounts: discounts[index] ?? 0,
    gatewayFees: fees[index] ?? 0,
    reportedFees: reported[index] ?? 0,
    ...costsOf(own),
  }));
  // Undelivered units reduce their supplier's sales.
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
