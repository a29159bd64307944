import type { OrderStateCount, SaleLine, SalesFigures } from '../../store/index.ts';

/** Keys to add sales up by: quarter hours of unix time, game (slug), product and payment method (code), account, or supplier. */
export const salesKeys = ['quarterHour', 'game', 'product', 'method', 'account', 'supplier'] as const;
export type SalesKey = (typeof salesKeys)[number];

/** World time in unix milliseconds: from the first, and before the other. */
export interface SalesSpan {
  from: number;
  before: number;
}

/** The figures of all sales with a common key; a quarter hour is a number from the unix epoch. */
export interface SalesSum extends SalesFigures {
  key: string;
}

export const quarterHour = 15 * 60_000;

/** The key of a line. */
export const salesKeyOf = (line: SaleLine, by: SalesKey): string =>
  by === 'quarterHour' ? String(Math.floor(line.at / quarterHour)) : line[by];

/** The number of orders of a payment method in a state. */
export interface OrdersOfMethod extends OrderStateCount {
  paymentMethodId: number;
}

export interface ReportStore {
  /** Counts the orders placed in a period by state and payment method, without reserved ones. */
  countOutcomes(span: SalesSpan): Promise<OrdersOfMethod[]>;
  /**
   * Prepares changes of up to `limit` paid orders for {@link ReportStore.sumSales}, and returns their number: with 0, nothing is missing.
   * This runs before a report, so that orders don't wait for it.
   */
  prepareSales(limit: number): Promise<number>;
  /** Sums all sales of a period by a key, sorted by the key. */
  sumSales(span: SalesSpan, by: SalesKey): Promise<SalesSum[]>;
}
