import { unitPrice } from '../../contract/index.ts';
import { productAt } from '../../engine/catalog/sale-times.ts';
import { type Closure, closureIn, isCurrent, listedFinder } from '../../engine/catalog/supplier-lists.ts';
import type { Catalog, CatalogProduct, SupplierList } from '../../store/index.ts';
import { applyMarginRule, ruleFinder, scopeText } from './margins.ts';
import type { Margin } from './store.ts';

/** A product for its operator. Amounts are per unit: integers in the smallest unit. */
export interface ListedProduct {
  game: string;
  code: string;
  title: string;
  /** The customer's current price without fees, which is lower than the selling price during a sale. */
  price: number;
  /** The cost in the supplier's last list; null if unknown. */
  cost: number | null;
  /** Price minus cost; null if the cost is unknown. */
  margin: number | null;
  isLocked: boolean;
  /** The scope of the margin rule that it follows, or would follow if unlocked; null if no rule applies. */
  rule: string | null;
  /** The price by its rule, even if it is locked; null if it has no rule or cost. */
  rulePrice: number | null;
  /** Per cent by which the price exceeds the price by its rule, if more than {@link farAbove}; otherwise null. */
  percentAboveRule: number | null;
  /** The cause of its closure: the operator (product or game), or the supplier's list; null while it is open. */
  closedBy: 'operator' | Closure | null;
  /** True if the operator closed the product itself, not only its game. */
  isOff: boolean;
}

/** Minimum excess to report, in per cent. Lower values come from rounding, and from costs that change between two syncs. */
const farAbove = 5;

/** Returns the per cent by which a price exceeds the rule's price; null if it is not far above. */
function percentAbove(price: number, rulePrice: number | null): number | null {
  if (!rulePrice || price <= rulePrice * (1 + farAbove / 100)) return null;
  return Math.round((price / rulePrice - 1) * 100);
}

/**
 * Lists all products with price, cost and reason for closing.
 *
 * @param times world time, for sales, and real time, for the validity of lists
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
  /** Tells whether all suppliers of a product have a valid list. A supplier without a valid list sells all its products. */
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
      const rulePrice = rule && cost !== null ? applyMarginRule(rule.rule, cost) : null;
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
