import { computeProfit } from '../../engine/earnings.ts';
import type { SalesFigures, Store } from '../../store/index.ts';
import type { SalesDivision, SalesReport } from './sales-report.ts';

/** A row of a sales report. Amounts are integers in the smallest unit. */
export interface SalesRow extends SalesFigures {
  key: string;
  /** The title of a game or product, or the name of a payment method; empty for other rows. */
  title: string;
  profit: number;
}

/** Tells whether the rows of a division have titles. */
export const hasTitle = (by: SalesDivision): boolean => ['game', 'product', 'method'].includes(by);

async function readTitles(
  store: Pick<Store, 'readCatalog'>,
  by: SalesDivision,
): Promise<ReadonlyMap<string, string>> {
  const catalog = hasTitle(by) ? await store.readCatalog() : null;
  if (!catalog) return new Map();
  if (by === 'method') return new Map(catalog.payment_methods.map(({ code, name }) => [code, name]));
  if (by === 'game') return new Map(catalog.games.map(({ slug, title }) => [slug, title]));
  return new Map(catalog.games.flatMap((game) => game.products).map(({ code, title }) => [code, title]));
}

/** Adds titles and profits to a report. */
export async function salesRows(
  store: Pick<Store, 'readCatalog'>,
  report: SalesReport,
  by: SalesDivision,
): Promise<{ rows: SalesRow[]; total: SalesRow }> {
  const titles = await readTitles(store, by);
  const rowOf = ({ key, ...figures }: SalesFigures & { key: string }): SalesRow => ({
    ...figures,
    key,
    title: titles.get(key) ?? '',
    profit: computeProfit(figures),
  });
  return { rows: report.rows.map(rowOf), total: rowOf({ ...report.total, key: 'total' }) };
}

/** The columns of files. Scripts use their names, so never rename a column, and add new columns at the end. */
export const salesColumns: readonly [name: string, amountOf: (row: SalesRow) => number][] = [
  ['orders', ({ orders }) => orders],
  ['units', ({ units }) => units],
  ['turnover', ({ turnover }) => turnover],
  ['discounts', ({ discounts }) => discounts],
  ['returned', ({ returned }) => returned],
  ['gateway_fees', ({ gatewayFees }) => gatewayFees],
  ['cost', ({ cost }) => cost],
  ['profit', ({ profit }) => profit],
  ['gateway_fees_reported', ({ reportedFees }) => reportedFees],
  ['cost_listed', ({ listedCost }) => listedCost],
  ['units_without_cost', ({ unknownCosts }) => unknownCosts],
];

/** The cells of a file. The first row has the names of the columns. */
export const salesCells = (rows: readonly SalesRow[], by: SalesDivision): (string | number)[][] => [
  [by, ...salesColumns.map(([name]) => name), ...(hasTitle(by) ? ['title'] : [])],
  ...rows.map((row) => [
    row.key,
    ...salesColumns.map(([, amountOf]) => amountOf(row)),
    ...(hasTitle(by) ? [row.title] : []),
  ]),
];
