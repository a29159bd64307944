import type { HistoryEntry, Refund, StoredOrder, StoredUnit } from './types.ts';

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
  /** What went back to customers or is owed to them: refunds, deliveries that failed, and what was paid over the total. */
  returned: number;
  /** What gateways keep, and how much of it they reported; the rest is by the rules of the payment methods. */
  gatewayFees: number;
  reportedFees: number;
  /** What items cost that were delivered or are on their way, and how much of it is only the listed price at their submission. */
  cost: number;
  listedCost: number;
  /** Such items whose cost nobody said. */
  unknownCosts: number;
}

/** By what sales are added up: quarter hours of unix time, game (slug), product and payment method (code), account, or supplier. */
export const salesKeys = ['quarterHour', 'game', 'product', 'method', 'account', 'supplier'] as const;
export type SalesKey = (typeof salesKeys)[number];

/** Moments of world time in unix milliseconds: from the first on, and before the other. */
export interface SalesSpan {
  from: number;
  before: number;
}

/** The figures of all sales that have a key in common; a quarter hour is the number of those before it. */
export interface SalesSum extends SalesFigures {
  key: string;
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

export const quarterHour = 15 * 60_000;

/** The key of a line. */
export const salesKeyOf = (line: SaleLine, by: SalesKey): string =>
  by === 'quarterHour' ? String(Math.floor(line.at / quarterHour)) : line[by];

/** What is stored of an order that was paid. */
export interface SoldOrder {
  order: Pick<
    StoredOrder,
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
}

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

/** A moment from which on so many items count as not delivered, or so much more was refunded. */
interface Turn {
  at: number;
  lost?: number;
  refunded?: number;
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

const refundTurns = (refunds: readonly Refund[]): Turn[] =>
  refunds.flatMap(({ at, amount, state, closedAt }) => [
    { at, refunded: amount },
    ...(state === 'cancelled' ? [{ at: Math.max(at, closedAt ?? at), refunded: -amount }] : []),
  ]);

/** What went back or is owed from each moment on, as differences to the moment before. */
function returnsOf(sold: SoldOrder, soldAt: number, received: number): { at: number; returned: number }[] {
  const { order, history, refunds } = sold;
  const { quantity, total_price: total } = order.pricing;
  // A refund of an earlier version has no record, and was of everything.
  const isUnrecorded = order.paymentStatus === 'REFUND' && refunds.length === 0;
  const refundedAt = history.findLast(({ event }) => event === 'refunded')?.at ?? soldAt;
  const turns: Turn[] = [
    { at: soldAt },
    ...lossesOf(sold),
    ...(isUnrecorded ? [{ at: refundedAt, refunded: received }] : refundTurns(refunds)),
  ].sort((a, b) => a.at - b.at);
  let [lost, refunded, before] = [0, 0, 0];
  return turns.flatMap((turn) => {
    lost = turn.lost ?? lost;
    refunded += turn.refunded ?? 0;
    const owed = owedInAll(received, total, quantity - Math.min(lost, quantity), quantity);
    const returned = Math.min(received, Math.max(owed, refunded)) - before;
    before += returned;
    return returned === 0 ? [] : [{ at: Math.max(turn.at, soldAt), returned }];
  });
}

const costsOf = (
  units: readonly StoredUnit[],
): Pick<SalesFigures, 'cost' | 'listedCost' | 'unknownCosts'> => {
  // What is on its way counts, too, so that a day's profit does not fall when it arrives.
  const bought = units.filter(
    ({ state }) => state === 'delivered' || state === 'asked' || state === 'unknown',
  );
  const sum = (from: readonly StoredUnit[]): number =>
    from.reduce((total, { cost }) => total + (cost ?? 0), 0);
  return {
    cost: sum(bought),
    listedCost: sum(bought.filter(({ costSource }) => costSource === 'listed')),
    unknownCosts: bought.filter(({ cost }) => cost === null).length,
  };
};

/**
 * The lines of an order: its sale on the day of its payment, with what its items cost, and what lowers it on the days on which that
 * happens. None of an order that was never paid.
 */
export function saleLines(sold: SoldOrder): SaleLine[] {
  const { order, units, history } = sold;
  if (order.paymentStatus !== 'PAID' && order.paymentStatus !== 'REFUND') return [];
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
  return [...sales, ...returns];
}
