import type { OrdersInState, SaleLine, SalesFigures } from '../../store/index.ts';

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

export const quarterHour = 15 * 60_000;

/** The key of a line. */
export const salesKeyOf = (line: SaleLine, by: SalesKey): string =>
  by === 'quarterHour' ? String(Math.floor(line.at / quarterHour)) : line[by];

/** The number of orders of a payment method in a state. */
export interface OrdersOfMethod extends OrdersInState {
  paymentMethodId: number;
}

export interface ReportStore {
  /** How many of the orders that were placed in a span are in each state, by their payment method, and without those that are reserved. */
  countOutcomes(span: SalesSpan): Promise<OrdersOfMethod[]>;
  /**
   * Adds what changed of up to `limit` paid orders to what {@link ReportStore.sumSales} adds up, and returns how many there were: with
   * none, nothing is missing. It is done before a report, so that orders don't wait for it.
   */
  prepareSales(limit: number): Promise<number>;
  /** The sums of all sales of a span, by what they have in common, in the order of their keys. */
  sumSales(span: SalesSpan, by: SalesKey): Promise<SalesSum[]>;
}
