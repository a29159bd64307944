import { Option } from '@commander-js/extra-typings';
import type { SalesReport } from '@topup-kit/core/features/reports/sales-report';
import type { SalesRow } from '@topup-kit/core/features/reports/sales-table';
import type { SalesFigures } from '@topup-kit/core/store';
import { defineCommand, type NewCommand } from '../../define-command.ts';
import { readSpan, whenText } from '../../input/moments.ts';
import { checkCsv, printCsv, separatorOption } from '../../output/csv.ts';
import { currentDisplay } from '../../output/display.ts';
import { counted, isoTime, money } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';

// This is a copy, because the engine's list is loaded only when the command runs. A test compares both.
export const divisions = ['day', 'game', 'product', 'method', 'account', 'supplier'] as const;

const build = (command: NewCommand) =>
  command
    .option('--since <when>', 'start of the period: a day, a time, yesterday or 7d (ago)', whenText, 'today')
    .option('--until <when>', 'end of the period; a date includes that day', whenText, 'today')
    .addOption(
      new Option('--by <what>', 'what each row stands for').choices(divisions).default('day' as const),
    )
    .option('--csv', 'print CSV, in whole units of the currency')
    .addOption(separatorOption())
    .option(...storeOption);

const screenColumns = (by: string): ColumnOf<SalesRow>[] => [
  [{ title: by.toUpperCase(), ...(by !== 'day' && { long: true as const }) }, ({ key }) => key],
  [{ title: 'TITLE', long: true }, ({ title }) => title],
  [{ title: 'ORDERS', align: 'right' }, ({ orders }) => String(orders)],
  [{ title: 'UNITS', align: 'right', spare: 'soon' }, ({ units }) => String(units)],
  [{ title: 'TURNOVER', align: 'right' }, ({ turnover }) => money(turnover)],
  [{ title: 'DISCOUNTS', align: 'right', spare: 'soon' }, ({ discounts }) => money(discounts)],
  [{ title: 'RETURNED', align: 'right', spare: true }, ({ returned }) => money(returned)],
  [{ title: 'GATEWAY FEES', align: 'right', spare: true }, ({ gatewayFees }) => money(gatewayFees)],
  [{ title: 'COST', align: 'right', spare: true }, ({ cost }) => money(cost)],
  [{ title: 'PROFIT', align: 'right' }, ({ profit }) => money(profit)],
];

/** Describes how certain the profit is. */
function sources({ gatewayFees, reportedFees, cost, listedCost, unknownCosts }: SalesFigures): string {
  const fees = `Gateway fees: ${money(reportedFees)} as the gateway reported them, ${money(gatewayFees - reportedFees)} computed from the payment methods.`;
  const costs = `Cost: ${money(cost - listedCost)} as the supplier reported it, ${money(listedCost)} from the supplier's list.`;
  const missing =
    unknownCosts === 0
      ? []
      : [
          `${counted(unknownCosts, 'delivered item')} without a known cost: the real profit is lower by ${unknownCosts === 1 ? 'its cost' : 'their costs'}.`,
        ];
  return [fees, costs, ...missing].join('\n');
}

export const sales = defineCommand({
  name: 'sales',
  description: "Add up orders, turnover, returns, fees, cost and profit, by the store's days",
  build,
  example: 'report sales --since 2026-11-01 --until 2026-11-30 --by product --csv > november.csv',
  async run(context, options) {
    checkCsv(context, options);
    const { reportSales } = await import('@topup-kit/core/features/reports/sales-report');
    const { hasTitle, salesCells, salesColumns, salesRows } = await import(
      '@topup-kit/core/features/reports/sales-table'
    );
    const documentOf = (row: SalesRow) =>
      Object.fromEntries(salesColumns.map(([name, amountOf]) => [name, amountOf(row)]));
    await withOperatorStore(context, options, async ({ store, path, deps }) => {
      const { by } = options;
      // Sales are dated in world time, which a sandbox may move ahead.
      const now = deps.worldClock();
      const { from = 0, before = now } = await readSpan(context.io, options, now);
      const span = { from, before };
      const { timezone, currency } = currentDisplay();
      const report: SalesReport = await withProgress(context, 'Adding up', (note) =>
        reportSales({ store, timezone }, { span, by }, (orders) =>
          note(`Adding up: ${counted(orders, 'order')} changed since the last report`),
        ),
      );
      const { rows, total } = await salesRows(store, report, by);
      if (options.csv) {
        const [titles = [], ...cells] = salesCells(rows, by);
        return printCsv(context, titles.map(String), cells, options.separator);
      }
      await context.print({
        document: {
          from: isoTime(span.from),
          before: isoTime(span.before),
          timezone,
          currency,
          by,
          rows: rows.map((row) => ({
            [by]: row.key,
            ...documentOf(row),
            ...(hasTitle(by) && { title: row.title || null }),
          })),
          total: documentOf(total),
        },
        ids: rows.map(({ key }) => key),
        screen: (style) => (rows.length === 0 ? '' : tableOf(screenColumns(by), [...rows, total], style)),
      });
      if (rows.length === 0) return context.remark(`No sales in this period in ${path}.`);
      context.remark(`\n${sources(report.total)}`);
    });
  },
});
