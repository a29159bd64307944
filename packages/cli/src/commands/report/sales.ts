import { Option } from '@commander-js/extra-typings';
import type { SalesReport } from '@topup-kit/core/engine';
import type { SalesFigures, SalesSpan } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand, type NewCommand } from '../../define-command.ts';
import { checkSpan, whenReader, whenText } from '../../input/moments.ts';
import { checkCsv, printCsv } from '../../output/csv.ts';
import { currentDisplay } from '../../output/display.ts';
import { counted, isoTime, money } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';

// The engine's own list is loaded only when the command runs; a test holds this one to it.
export const divisions = ['day', 'game', 'product', 'method', 'account', 'supplier'] as const;

const build = (command: NewCommand) =>
  command
    .option('--from <when>', 'from then on: a day, a time, yesterday or 7d (ago)', whenText, 'today')
    .option('--to <when>', 'until then; a day means its end', whenText, 'today')
    .addOption(new Option('--by <what>', 'what a row is').choices(divisions).default('day' as const))
    .option('--csv', 'as CSV, in whole units of the currency')
    .option(...storeOption);

/** Sales are of world time, which a sandbox may move ahead. */
async function readSpan(
  { io }: CommandContext,
  { from, to }: { from: string; to: string },
  now: number,
): Promise<SalesSpan> {
  const read = await whenReader(io, now);
  const span = { from: read(from, 'begin') ?? 0, before: read(to, 'end') ?? now };
  checkSpan(['--from', span.from], ['--to', span.before]);
  return span;
}

type Row = SalesFigures & { key: string; profit: number };

/** The columns of each format, in their order: scripts name them, so that none is renamed and new ones come last. */
const columns: [name: string, amountOf: (row: Row) => number][] = [
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

const documentOf = (row: Row) => Object.fromEntries(columns.map(([name, amountOf]) => [name, amountOf(row)]));

const screenColumns = (by: string): ColumnOf<Row>[] => [
  [{ title: by.toUpperCase(), long: true }, ({ key }) => key],
  [{ title: 'ORDERS', align: 'right' }, ({ orders }) => String(orders)],
  [{ title: 'UNITS', align: 'right', spare: true }, ({ units }) => String(units)],
  [{ title: 'TURNOVER', align: 'right' }, ({ turnover }) => money(turnover)],
  [{ title: 'DISCOUNTS', align: 'right', spare: true }, ({ discounts }) => money(discounts)],
  [{ title: 'RETURNED', align: 'right' }, ({ returned }) => money(returned)],
  [{ title: 'GATEWAY FEES', align: 'right' }, ({ gatewayFees }) => money(gatewayFees)],
  [{ title: 'COST', align: 'right' }, ({ cost }) => money(cost)],
  [{ title: 'PROFIT', align: 'right' }, ({ profit }) => money(profit)],
];

/** How certain the profit is. */
function sources({ gatewayFees, reportedFees, cost, listedCost, unknownCosts }: SalesFigures): string {
  const fees = `Gateway fees: ${money(reportedFees)} as the gateway reported them, ${money(gatewayFees - reportedFees)} by the rules of the payment methods.`;
  const costs = `Cost: ${money(cost - listedCost)} as the supplier said it, ${money(listedCost)} as it was listed.`;
  const missing =
    unknownCosts === 0
      ? []
      : [
          `${counted(unknownCosts, 'delivered item')} without a known cost: the profit is less by what ${unknownCosts === 1 ? 'it' : 'they'} cost.`,
        ];
  return [fees, costs, ...missing].join('\n');
}

export const sales = defineCommand({
  name: 'sales',
  description: 'Add up orders, turnover, returns, fees, cost and profit; the days are those of the store',
  build,
  example: 'report sales --from 2026-11-01 --to 2026-11-30 --by product --csv > november.csv',
  async run(context, options) {
    checkCsv(context, options.csv);
    const { profitOf, reportSales } = await import('@topup-kit/core/engine');
    await withOperatorStore(context, options, async ({ store, path, deps }) => {
      const { by } = options;
      const span = await readSpan(context, options, deps.worldClock());
      const { timezone, currency } = currentDisplay();
      const report: SalesReport = await withProgress(context, 'Adding up', (note) =>
        reportSales({ store, timezone }, { span, by }, (orders) =>
          note(`Adding up: ${counted(orders, 'order')} changed since the last report`),
        ),
      );
      const withProfit = (key: string, figures: SalesFigures): Row => ({
        ...{ ...figures, key },
        profit: profitOf(figures),
      });
      const rows = report.rows.map(({ key, ...figures }) => withProfit(key, figures));
      const total = withProfit('total', report.total);
      if (options.csv)
        return printCsv(
          context,
          [by, ...columns.map(([name]) => name)],
          rows.map((row) => [row.key, ...columns.map(([, amountOf]) => amountOf(row))]),
        );
      await context.print({
        document: {
          ...{ from: isoTime(span.from), before: isoTime(span.before), timezone, currency, by },
          rows: rows.map((row) => ({ [by]: row.key, ...documentOf(row) })),
          total: documentOf(total),
        },
        ids: rows.map(({ key }) => key),
        screen: (style) => (rows.length === 0 ? '' : tableOf(screenColumns(by), [...rows, total], style)),
      });
      if (rows.length === 0) return context.remark(`No sales in this time in ${path}.`);
      context.remark(`\n${sources(report.total)}`);
    });
  },
});
