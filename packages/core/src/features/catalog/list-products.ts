import { unitPrice } from '../../contract/index.ts';
import { productAt } from '../../engine/catalog/sale-times.ts';
import { type Closure, closureIn, isCurrent, listedFinder } from '../../engine/catalog/supplier-lists.ts';
import type { Catalog, CatalogProduct, SupplierList } from '../../store/index.ts';
import { priceBy, ruleFinder, scopeText } from './margins.ts';
import type { Margin } from './store.ts';

/** A product as its operator looks at it. Amounts are of one unit: integers in the smallest unit. */
export interface ListedProduct {
  game: string;
  code: string;
  title: string;
  /** What a customer pays now, without fees: in a sale less than the selling price. */
  price: number;
  /** By the last list of the supplier; null when that doesn't say it. */
  cost: number | null;
  /** What is left of the price; null without a cost. */
  margin: number | null;
  isLocked: boolean;
  /** The scope of the margin rule that it follows, or would follow if it were not locked; null for none. */
  rule: string | null;
  /** What its rule gives for the cost, whether the price is locked or not; null without a rule or a cost. */
  rulePrice: number | null;
  /** How many percent the price is above that of its rule, when that is far: more than {@link farAbove}; null otherwise. */
  percentAboveRule: number | null;
  /** Who closed it: the operator (the product or its game), or the supplier's list, with the reason; null while it is open. */
  closedBy: 'operator' | Closure | null;
  /** Whether the operator closed the product itself, not only its game. */
  isOff: boolean;
}

/** In percent; less comes from rounding, and from costs that move between two syncs. */
const farAbove = 5;

/** How many percent a price is above another one; null unless it is far above. */
function percentAbove(price: number, rulePrice: number | null): number | null {
  if (!rulePrice || price <= rulePrice * (1 + farAbove / 100)) return null;
  return Math.round((price / rulePrice - 1) * 100);
}

/**
 * Lists all products with price, cost and what closes them.
 *
 * @param times world time, by which sales begin and end, and real time, by which a list counts
 */
export function listProducts(
  {
    catalog,
    margins,
    lists,
  }: { catalog: Catalog; margins: readonly Margin[]; lists: readonly SupplierList[] },
  { now, realNow }: { now: number; realNow: number },
): ListedProduct[] {
  const find = listedFinder(lists);
  const current = new Set(lists.filter((list) => isCurrent(list, realNow)).map(({ supplier }) => supplier));
  /** What no list speaks of is for sale at its supplier. */
  const counts = ({ suppliers }: CatalogProduct): boolean =>
    suppliers?.length ? suppliers.every(({ supplier }) => current.has(supplier)) : current.size > 0;
  const ruleOf = ruleFinder(margins);
  return catalog.games.flatMap((game) =>
    game.products.map((stored) => {
      const product = productAt(stored, now);
      const known = find(product);
      const isOff = !product.status || !game.status || game.hidden;
      const rule = ruleOf(product, game);
      const price = unitPrice(product);
      const cost = known?.price ?? null;
      const rulePrice = rule && cost !== null ? priceBy(rule.rule, cost) : null;
      return {
        game: game.slug,
        code: product.code,
        title: product.title,
        price,
        cost,
        margin: cost === null ? null : price - cost,
        isLocked: product.price_locked === true,
        rule: rule ? scopeText(rule) : null,
        rulePrice,
        percentAboveRule: percentAbove(price, rulePrice),
        closedBy: isOff ? 'operator' : counts(product) ? closureIn(known, product) : null,
        isOff: !product.status,
      };
    }),
  );
}
