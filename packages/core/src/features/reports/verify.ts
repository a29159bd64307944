import { type SaleLine, type SoldOrder, saleLines } from '../../store/index.ts';

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
