import type { OrderStateCount, SaleLine, SalesFigures } from '../../store/index.ts';

/** Keys by which sales are added up: quarter hours of unix time, game (slug), product and payment method (code), account, or supplier. */
export const salesKeys = ['quarterHour', 'game', 'product', 'method', 'account', 'supplier'] as const;
export type SalesKey = (typeof salesKeys)[number];

/** A period in unix milliseconds of world time, including its start and excluding its end. */
export interface SalesSpan {
  from: number;
  before: number;
}

/** The sum of all sales with the same key. A quarter hour is its number since the unix epoch. */
export interface SalesSum extends SalesFigures {
  key: string;
}

export const quarterHour = 15 * 60_000;

/** Returns the key of a line. */
export const salesKeyOf = (line: SaleLine, by: SalesKey): string =>
  by === 'quarterHour' ? String(Math.floor(line.at / quarterHour)) : line[by];

/** The number of orders with a payment method in a state. */
export interface OrdersOfMethod extends OrderStateCount {
  paymentMethodId: number;
}

export interface ReportStore {
  /** Counts the orders placed in a period by state and payment method, except reserved orders. */
  countOutcomes(span: SalesSpan): Promise<OrdersOfMethod[]>;
  /**
   * Prepares changes of up to `limit` paid orders for {@link ReportStore.sumSales}, and returns their number; 0 means that everything is
   * prepared. This happens before a report, so that orders don't wait for it.
   */
  prepareSales(limit: number): Promise<number>;
  /** Sums all sales of a period by a key, sorted by the key. */
  sumSales(span: SalesSpan, by: SalesKey): Promise<SalesSum[]>;
}
