import { addFigures, noFigures, type SalesFigures, type SoldOrder, saleLines } from '../store/index.ts';

/** The profit: integer in the smallest unit. */
export const computeProfit = ({ turnover, returned, gatewayFees, cost }: SalesFigures): number =>
  turnover - returned - gatewayFees - cost;

/** The earnings of an order. */
export type Earnings = SalesFigures & { profit: number };

/** Adds up one order in the way of reports; null while nothing was paid. */
export function earningsOf(sold: SoldOrder): Earnings | null {
  const lines = saleLines(sold);
  if (lines.length === 0) return null;
  const figures = lines.reduce<SalesFigures>(addFigures, noFigures);
  return { ...figures, profit: computeProfit(figures) };
}
