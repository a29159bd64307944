import type { Catalog, CatalogGame, CatalogProduct } from '../../store/index.ts';
import { type KeptOut, type ListedCost, whyKeptOut } from './kept-out.ts';
import type { Margin, MarginRule } from './store.ts';

const roundUp = (amount: number, step: number): number => Math.ceil(amount / step) * step;

/** The lowest price that ends in 900 and is not below the amount. */
const endIn900 = (amount: number): number => roundUp(amount + 100, 1000) - 100;

/**
 * The price of one unit by a rule: the cost with percent and flat, or with the minimum where that is more, and at least the floor, rounded
 * up. It is never below the cost. All amounts are integers in the smallest unit.
 */
export function priceBy({ percent, flat, minimum, floor, rounding }: MarginRule, cost: number): number {
  const margin = Math.max(Math.ceil((cost * percent) / 10_000) + flat, minimum);
  const price = Math.max(cost + margin, floor);
  if (rounding === null) return price;
  return rounding === 'end-900' ? endIn900(price) : roundUp(price, rounding.up);
}

/** A margin's scope and key as one text, such as `game mobile-legends`; `shop` has no key. */
export const scopeText = ({ scope, key }: Pick<Margin, 'scope' | 'key'>): string =>
  scope === 'shop' ? scope : `${scope} ${key}`;

/** Finds the rule of a product: its own, else that of its game, of the game's category, of the shop. */
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

/** The catalogue with each product as `change` makes it; what doesn't change stays the same object. */
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

/** What a product costs by a list; undefined when the list doesn't say it. */
export type CostOf = (product: CatalogProduct) => ListedCost | undefined;

/** Gives every product that follows a rule and whose cost is known the price of its rule, but for those whose row is kept out. */
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
    const to = rule ? priceBy(rule, cost) : cost;
    const why = whyKeptOut(listed, { from, to }, force);
    const isFollowing = rule !== undefined && !isLocked;
    if (why !== null) distrusted.push(product);
    if (why !== null && isFollowing) keptOut.push({ code, title, why, cost, from, to });
    return why !== null || !isFollowing || to === from ? product : { ...product, selling_price: to };
  });
  return { catalog: changed, keptOut, distrusted };
}
