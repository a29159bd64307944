import { zonedTime } from '../../engine/time.ts';
import {
  addFigures,
  noFigures,
  type SaleLine,
  type SalesFigures,
  type SoldOrder,
  saleLines,
} from '../../store/index.ts';
import { quarterHour, type ReportStore, type SalesSpan, type SalesSum } from './store.ts';

/** Divisions of a report: days in the shop's time zone, games (slug), products and methods (code), accounts, suppliers. */
export const salesDivisions = ['day', 'game', 'product', 'method', 'account', 'supplier'] as const;
export type SalesDivision = (typeof salesDivisions)[number];

export interface SalesReport {
  rows: SalesSum[];
  total: SalesFigures;
}

interface ReportDependencies {
  store: Pick<ReportStore, 'prepareSales' | 'sumSales'>;
  /** The shop's time zone. */
  timezone: string;
}

/** Number of orders to prepare in one step. It is low, because a server on the same file waits for the step. */
const preparedAtOnce = 200;

/** Length of a slice to add up, in milliseconds. It is limited, because a store keeps all sales of a slice in memory. */
const sliceMs = 7 * 24 * 60 * 60_000;

/** Adds up a period. It combines quarter hours to days, because days start at quarter hours in every time zone. */
async function sumSpan(
  { store, timezone }: ReportDependencies,
  { span, by }: { span: SalesSpan; by: SalesDivision },
): Promise<SalesSum[]> {
  const timeAt = zonedTime(timezone);
  const sums = new Map<string, SalesFigures>();
  for (let { from } = span; from < span.before; from += sliceMs) {
    const slice = { from, before: Math.min(from + sliceMs, span.before) };
    for (const { key, ...figures } of await store.sumSales(slice, by === 'day' ? 'quarterHour' : by)) {
      const row = by === 'day' ? timeAt(Number(key) * quarterHour).iso.slice(0, 10) : key;
      sums.set(row, addFigures(sums.get(row) ?? noFigures, figures));
    }
  }
  return [...sums].map(([key, figures]) => ({ key, ...figures }));
}

const byKey = (a: SalesSum, b: SalesSum): number => (a.key < b.key ? -1 : 1);

/**
 * Adds up sales, sorted by day, or else by turnover, the highest first. Sales count on the day of payment, and reductions when they happen.
 *
 * @param onPrepared called with the number of changed orders that have been prepared so far
 */
export async function reportSales(
  deps: ReportDependencies,
  { span, by }: { span: SalesSpan; by: SalesDivision },
  onPrepared: (orders: number) => void = () => {},
): Promise<SalesReport> {
  let prepared = 0;
  for (;;) {
    const more = await deps.store.prepareSales(preparedAtOnce);
    if (more === 0) break;
    prepared += more;
    onPrepared(prepared);
  }
  return sumReport(deps, { span, by });
}

/** Adds up sales like {@link reportSales}, but without changes that were not prepared yet. */
export async function sumReport(
  deps: ReportDependencies,
  { span, by }: { span: SalesSpan; by: SalesDivision },
): Promise<SalesReport> {
  const rows = (await sumSpan(deps, { span, by })).sort(
    by === 'day' ? byKey : (a, b) => b.turnover - a.turnover || byKey(a, b),
  );
  return { rows, total: rows.reduce<SalesFigures>(addFigures, noFigures) };
}

/** Checks that the lines in reports match the order's records. `lines` is null if the next report rebuilds them. */
export function* verifyReports(records: SoldOrder, lines: readonly SaleLine[] | null): Generator<string> {
  if (!lines) return;
  const expected = saleLines(records);
  const values = (of: readonly SaleLine[]): string =>
    of
      .map((line) => JSON.stringify(Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1))))
      // Lines with the same time have no defined order.
      .sort()
      .join();
  if (values(lines) === values(expected)) return;
  const total = (of: readonly SaleLine[], name: 'turnover' | 'returned' | 'gatewayFees' | 'cost'): number =>
    of.reduce((all, line) => all + line[name], 0);
  const said = (of: readonly SaleLine[]): string =>
    `turnover ${total(of, 'turnover')}, returned ${total(of, 'returned')}, fees ${total(of, 'gatewayFees')}, cost ${total(of, 'cost')}`;
  yield `reports have ${said(lines)} on ${lines.length} lines for it, but its records give ${said(expected)} on ${expected.length} lines`;
}

/** Length of the period whose purchases are used to estimate how long a balance lasts, in milliseconds: three days. */
export const paceMs = 3 * 24 * 60 * 60_000;

/** Estimates how long a balance lasts, in milliseconds, by the amount spent in the last {@link paceMs}; null if nothing was spent. */
export const lastingTime = (balance: number, spent: number): number | null =>
  spent <= 0 ? null : Math.max(0, balance / spent) * paceMs;
