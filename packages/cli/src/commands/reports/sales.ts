import { Option } from '@commander-js/extra-typings';
import type { SalesReport } from '@topup-kit/core/engine';
import type { SalesFigures, Store } from '@topup-kit/core/store';
import { defineCommand, type NewCommand } from '../../define-command.ts';
import { readSpan, whenText } from '../../input/moments.ts';
import { checkCsv, printCsv, separatorOption } from '../../output/csv.ts';
import { currentDisplay } from '../../output/display.ts';
import { counted, isoTime, money } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { storeOption, withOperatorStore } from '../../store/open.ts';

// The engine's own list is loaded only when the command runs; a test holds this one to it.
export const divisions = ['day', 'game', 'product', 'method', 'account', 'supplier'] as const;

const build = (command: NewCommand) =>
  command
    .option('--since <when>', 'from then on: a day, a time, yesterday or 7d (ago)', whenText, 'today')
    .option('--until <when>', 'until then; a day means its end', whenText, 'today')
    .addOption(new Option('--by <what>', 'what a row is').choices(divisions).default('day' as const))
    .option('--csv', 'as CSV, in whole units of the currency')
    .addOption(separatorOption())
    .option(...storeOption);

type Row = SalesFigures & { key: string; title: string; profit: number };

/** What the rows are named by has a title, too. */
const titled: readonly string[] = ['game', 'product', 'method'];

/** The titles of games and products, and the names of methods, by what the rows are named by; empty for other rows. */
async function readTitles(store: Store, by: string): Promise<ReadonlyMap<string, string>> {
  const catalog = await store.readCatalog();
  if (!catalog) return new Map();
  if (by === 'method') return new Map(catalog.payment_methods.map(({ code, name }) => [code, name]));
  if (by === 'game') return new Map(catalog.games.map(({ slug, title }) => [slug, title]));
  return new Map(catalog.games.flatMap((game) => game.products).map(({ code, title }) => [code, title]));
}

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
  example: 'report sales --since 2026-11-01 --until 2026-11-30 --by product --csv > november.csv',
  async run(context, options) {
    checkCsv(context, options);
    const { profitOf, reportSales } = await import('@topup-kit/core/engine');
    await withOperatorStore(context, options, async ({ store, path, deps }) => {
      const { by } = options;
      // Sales are of world time, which a sandbox may move ahead.
      const now = deps.worldClock();
      const { from = 0, before = now } = await readSpan(context.io, options, now);
      const span = { from, before };
      const { timezone, currency } = currentDisplay();
      const report: SalesReport = await withProgress(context, 'Adding up', (note) =>
        reportSales({ store, timezone }, { span, by }, (orders) =>
          note(`Adding up: ${counted(orders, 'order')} changed since the last report`),
        ),
      );
      const isTitled = titled.includes(by);
      const allTitles = isTitled ? await readTitles(store, by) : new Map<string, string>();
      const withProfit = (key: string, figures: SalesFigures): Row => ({
        ...{ ...figures, key, title: allTitles.get(key) ?? '' },
        profit: profitOf(figures),
      });
      const rows = report.rows.map(({ key, ...figures }) => withProfit(key, figures));
      const total = withProfit('total', report.total);
      if (options.csv)
        return printCsv(
          context,
          [by, ...columns.map(([name]) => name), ...(isTitled ? ['title'] : [])],
          rows.map((row) => [
            row.key,
            ...columns.map(([, amountOf]) => amountOf(row)),
            ...(isTitled ? [row.title] : []),
          ]),
          options.separator,
        );
      await context.print({
        document: {
          ...{ from: isoTime(span.from), before: isoTime(span.before), timezone, currency, by },
          rows: rows.map((row) => ({
            [by]: row.key,
            ...documentOf(row),
            ...(isTitled && { title: row.title || null }),
          })),
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
