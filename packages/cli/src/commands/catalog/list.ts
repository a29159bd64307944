import type { ListedProduct } from '@topup-kit/core/engine';
import { filled } from '../../input/arguments.ts';
import { counted } from '../../output/format.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { noCatalog, notInStore } from '../../store/open.ts';

const amount = (value: number | null): string => value?.toLocaleString('en') ?? '';

export const closureWords = {
  operator: 'closed by you',
  unlisted: 'closed: not listed',
  unavailable: 'closed by the supplier',
  cost: 'closed: below cost',
} as const satisfies Record<NonNullable<ListedProduct['closedBy']>, string>;

const columns: readonly ColumnOf<ListedProduct>[] = [
  [{ title: 'CODE' }, ({ code }) => code],
  [{ title: 'TITLE', long: true, spare: true }, ({ title }) => title],
  [{ title: 'PRICE', align: 'right' }, ({ price }) => amount(price)],
  [{ title: 'COST', align: 'right' }, ({ cost }) => amount(cost)],
  [{ title: 'MARGIN', align: 'right' }, ({ margin }) => amount(margin)],
  [{ title: 'RULE', spare: true }, ({ rule, isLocked }) => (isLocked ? 'locked' : (rule ?? ''))],
  [
    { title: 'STATE' },
    ({ closedBy, percentAboveRule: above }) =>
      (closedBy === null ? 'open' : closureWords[closedBy]) +
      (above === null ? '' : `, ${above} % over its rule`),
  ],
];

const documentOf = (product: ListedProduct) => ({
  game: product.game,
  code: product.code,
  title: product.title,
  price: product.price,
  cost: product.cost,
  margin: product.margin,
  locked: product.isLocked,
  rule: product.rule,
  rule_price: product.rulePrice,
  percent_above_rule: product.percentAboveRule,
  closed_by: product.closedBy,
});

export const listCatalog = defineStoreCommand({
  name: 'list',
  description: 'List products with price, cost, margin and who closed them',
  build: (command) =>
    command
      .option('--game <slug>', 'only products of this game', filled)
      .option('--closed', "only products that customers can't order"),
  example: 'catalog list --game mobile-legends',
  async run(operating, context, options) {
    const { store, path, deps } = operating;
    const { listProducts } = await import('@topup-kit/core/engine');
    const [catalog, margins, lists] = await Promise.all([
      store.readCatalog(),
      store.readMargins(),
      store.readSupplierLists(),
    ]);
    if (!catalog) throw noCatalog(path, context.io);
    const { game } = options;
    if (game !== undefined && !catalog.games.some(({ slug }) => slug === game))
      throw notInStore(operating, `game ${game}`, 'GAME_NOT_FOUND', 'catalog list');
    const times = { now: deps.worldClock(), realNow: Date.now() };
    const products = listProducts({ catalog, margins, lists }, times)
      .filter((product) => game === undefined || product.game === game)
      .filter(({ closedBy }) => !options.closed || closedBy !== null);
    await context.print({
      document: { products: products.map(documentOf) },
      ids: products.map(({ code }) => code),
      screen: (style) => tableOf(columns, products, style),
    });
    const closed = products.filter(({ closedBy }) => closedBy !== null).length;
    context.remark(`\n${counted(products.length, 'product')}, ${closed} closed.`);
    if (lists.length === 0) context.remark("Costs appear after a server has read the supplier's list.");
  },
});
