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

/** By what a report is divided: days of the shop's time zone, games (slug), products and methods (code), accounts, suppliers. */
export const salesDivisions = ['day', 'game', 'product', 'method', 'account', 'supplier'] as const;
export type SalesDivision = (typeof salesDivisions)[number];

export interface SalesReport {
  rows: SalesSum[];
  total: SalesFigures;
}

interface ReportDependencies {
  store: Pick<ReportStore, 'prepareSales' | 'sumSales'>;
  /** That of the shop. */
  timezone: string;
}

/** How many orders are prepared at once: few, because a server on the same file waits for it. */
const preparedAtOnce = 200;

/** How much is added up at once, in milliseconds: a store holds all sales of that time in memory. */
const sliceMs = 7 * 24 * 60 * 60_000;

/** Adds up a span. Quarters of an hour are put together to days: no time zone's day begins within one. */
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
 * Adds up what was sold, in the order of the days or with the highest turnover first. Sales count at their payment, and what lowers
 * them when it happens.
 *
 * @param onPrepared called with the number of orders that were prepared so far, which are those that changed since the last report
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

/** Adds up as {@link reportSales} does, and leaves out changes that were not prepared yet. */
export async function sumReport(
  deps: ReportDependencies,
  { span, by }: { span: SalesSpan; by: SalesDivision },
): Promise<SalesReport> {
  const rows = (await sumSpan(deps, { span, by })).sort(
    by === 'day' ? byKey : (a, b) => b.turnover - a.turnover || byKey(a, b),
  );
  return { rows, total: rows.reduce<SalesFigures>(addFigures, noFigures) };
}

/** The lines of reports are those that the order's records give; null when they are made anew for the next one. */
export function* verifyReports(records: SoldOrder, lines: readonly SaleLine[] | null): Generator<string> {
  if (!lines) return;
  const expected = saleLines(records);
  const values = (of: readonly SaleLine[]): string =>
    of
      .map((line) => JSON.stringify(Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1))))
      // Several of one moment have no order.
      .sort()
      .join();
  if (values(lines) === values(expected)) return;
  const total = (of: readonly SaleLine[], name: 'turnover' | 'returned' | 'gatewayFees' | 'cost'): number =>
    of.reduce((all, line) => all + line[name], 0);
  const said = (of: readonly SaleLine[]): string =>
    `turnover ${total(of, 'turnover')}, returned ${total(of, 'returned')}, fees ${total(of, 'gatewayFees')}, cost ${total(of, 'cost')}`;
  yield `reports count it with ${said(lines)} on ${lines.length} lines, but its records give ${said(expected)} on ${expected.length}`;
}

/** Estimates how long a balance lasts, in milliseconds, when so much of it was spent in a span; null when nothing was. */
export const lastingTime = (balance: number, spent: number, spanMs: number): number | null =>
  spent <= 0 ? null : Math.max(0, balance / spent) * spanMs;
