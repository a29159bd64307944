import { highestAmount, type Localised } from '../../contract/index.ts';
import type { Catalog, CatalogGame, CatalogProduct } from '../../store/index.ts';
import { firstNames, grouped } from './edit-errors.ts';
import type { Margin, MarginRule } from './store.ts';

const roundUp = (amount: number, step: number): number => Math.ceil(amount / step) * step;

/** Returns the lowest price that ends in 900 and is not below the amount. */
const endIn900 = (amount: number): number => roundUp(amount + 100, 1000) - 100;

/**
 * Computes the price of one unit by a rule: the cost plus percent and flat, or plus the minimum if it is higher; then at least the floor,
 * rounded up. The price is never below the cost. All amounts are integers in the smallest unit.
 */
export function applyMarginRule(
  { percent, flat, minimum, floor, rounding }: MarginRule,
  cost: number,
): number {
  const margin = Math.max(Math.ceil((cost * percent) / 10_000) + flat, minimum);
  const price = Math.max(cost + margin, floor);
  if (rounding === null) return price;
  return rounding === 'end-900' ? endIn900(price) : roundUp(price, rounding.up);
}

/** Joins the scope and key of a margin, such as `game mobile-legends`; `shop` has no key. */
export const scopeText = ({ scope, key }: Pick<Margin, 'scope' | 'key'>): string =>
  scope === 'shop' ? scope : `${scope} ${key}`;

/** Creates a function that finds a product's rule: its own, else its game's, its category's, or the shop's. */
export function ruleFinder(
  margins: readonly Margin[],
): (product: CatalogProduct, game: Pick<CatalogGame, 'slug' | 'category_id'>) => Margin | undefined {
  const byScope = new Map(margins.map((margin) => [scopeText(margin), margin]));
  return ({ code }, { slug, category_id }) =>
    byScope.get(`product ${code}`) ??
    byScope.get(`game ${slug}`) ??
    byScope.get(`category ${category_id}`) ??
    byScope.get('shop');
}

/** Returns the catalogue with each product changed by `change`. Unchanged parts stay the same objects. */
export function mapProducts(
  catalog: Catalog,
  change: (product: CatalogProduct, game: CatalogGame) => CatalogProduct,
): Catalog {
  const games = catalog.games.map((game) => {
    const products = game.products.map((product) => change(product, game));
    return products.every((product, index) => product === game.products[index])
      ? game
      : { ...game, products };
  });
  return games.every((game, index) => game === catalog.games[index]) ? catalog : { ...catalog, games };
}

/**
 * Reason why a price doesn't follow its row in a supplier's list. `several-prices`: the list has the code several times with different
 * prices. `limit`: the price would exceed the catalogue's limit. `zero`: the listed cost is 0. `far`: the listed cost is less than half or
 * more than double the earlier cost.
 */
export type KeptOutReason = 'several-prices' | 'limit' | 'zero' | 'far';

/** A product that keeps its price, whatever its row says. Amounts are per unit: integers in the smallest unit. */
export interface KeptOut {
  code: string;
  title: string;
  why: KeptOutReason;
  /** The listed cost; if there are several, the highest one. */
  cost: number;
  from: number;
  /** The new price by its rule. */
  to: number;
}

/** Tells whether an operator can apply the price with `--force`. Otherwise, the supplier must correct its list. */
export const isForcible = ({ why }: Pick<KeptOut, 'why'>): boolean => why === 'zero' || why === 'far';

/** A product's cost in a list. */
export interface ListedCost {
  cost: number;
  /** The cost in the list that last set prices; undefined before the first such list. */
  before: number | undefined;
  hasSeveralPrices: boolean;
}

const isFar = (amount: number, before: number): boolean => amount > before * 2 || amount * 2 < before;

/** Compares a row with the last accepted cost, or else with the current price. Returns the reason for ignoring it, or null. */
export function whyKeptOut(
  { cost, before, hasSeveralPrices }: ListedCost,
  { from, to }: Pick<KeptOut, 'from' | 'to'>,
  force: boolean,
): KeptOutReason | null {
  if (hasSeveralPrices) return 'several-prices';
  if (to > highestAmount) return 'limit';
  if (force || cost === before) return null;
  if (cost === 0) return 'zero';
  const [amount, reference] = before ? [cost, before] : [to, from];
  return reference > 0 && isFar(amount, reference) ? 'far' : null;
}

type Reason = (row: Pick<KeptOut, 'cost' | 'from' | 'to'>, money: (amount: number) => string) => Localised;

const reasonWords: Record<KeptOutReason, Reason> = {
  'several-prices': () => ({ id: 'beberapa harga di daftar', en: 'listed at several prices' }),
  limit: ({ to }, money) => ({
    id: `harganya menjadi ${money(to)}, di atas batas katalog`,
    en: `its price would be ${money(to)}, above the maximum price of a catalogue`,
  }),
  zero: () => ({ id: 'modal 0 di daftar', en: 'listed at 0' }),
  far: ({ cost, from, to }, money) => ({
    id: `modalnya ${money(cost)}, yang mengubah harganya dari ${money(from)} menjadi ${money(to)}`,
    en: `costs ${money(cost)}, which would change its price from ${money(from)} to ${money(to)}`,
  }),
};

/** Formats rows for an operator: `ML86 (listed at 0), ML172 (listed at several prices)`. */
export const keptOutWords = (rows: readonly KeptOut[], money = grouped): Localised =>
  firstNames(
    rows.map((row) => {
      const { id, en } = reasonWords[row.why](row, money);
      return { id: `${row.code} (${id})`, en: `${row.code} (${en})` };
    }),
  );

/** Returns a product's cost in a list; undefined if unknown. */
export type CostOf = (product: CatalogProduct) => ListedCost | undefined;

/** Sets the price of every product with a rule and a known cost, except if its row is skipped. */
export function reprice(
  catalog: Catalog,
  margins: readonly Margin[],
  { costOf, force = false }: { costOf: CostOf; force?: boolean | undefined },
): {
  catalog: Catalog;
  keptOut: KeptOut[] /** Also those that follow no rule. */;
  distrusted: CatalogProduct[];
} {
  const ruleOf = ruleFinder(margins);
  const keptOut: KeptOut[] = [];
  const distrusted: CatalogProduct[] = [];
  const changed = mapProducts(catalog, (product, game) => {
    const listed = costOf(product);
    if (listed === undefined) return product;
    const { code, title, selling_price: from, price_locked: isLocked = false } = product;
    const { cost } = listed;
    const rule = ruleOf(product, game)?.rule;
    const to = rule ? applyMarginRule(rule, cost) : cost;
    const why = whyKeptOut(listed, { from, to }, force);
    const isFollowing = rule !== undefined && !isLocked;
    if (why !== null) distrusted.push(product);
    if (why !== null && isFollowing) keptOut.push({ code, title, why, cost, from, to });
    return why !== null || !isFollowing || to === from ? product : { ...product, selling_price: to };
  });
  return { catalog: changed, keptOut, distrusted };
}
