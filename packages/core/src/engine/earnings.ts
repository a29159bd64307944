import { addFigures, noFigures, type SalesFigures, type SoldOrder, saleLines } from '../store/index.ts';

/** Computes the profit, as an integer in the smallest unit. */
export const computeProfit = ({ turnover, returned, gatewayFees, cost }: SalesFigures): number =>
  turnover - returned - gatewayFees - cost;

/** Earnings from an order. */
export type Earnings = SalesFigures & { profit: number };

/** Computes the earnings of an order in the same way as reports; null if nothing was paid. */
export function earningsOf(sold: SoldOrder): Earnings | null {
  const lines = saleLines(sold);
  if (lines.length === 0) return null;
  const figures = lines.reduce<SalesFigures>(addFigures, noFigures);
  return { ...figures, profit: computeProfit(figures) };
}
