import { unitPrice } from '../../contract/index.ts';
import type { CatalogProduct, SupplierList, SupplierProduct } from '../../store/index.ts';
import { listedCodeOf, saidLately } from '../suppliers.ts';

/**
 * Time for which a list is valid, in milliseconds of real time: one day, because a list has the cut-off hours of one day. An older list
 * says nothing about stock and prices, and an alert was raised long before.
 */
const listLifetimeMs = 24 * 60 * 60_000;

/**
 * Reason why a product that is open in the catalogue can't be ordered. `unlisted`: the supplier doesn't list it. `unavailable`: the
 * supplier has closed it or sold out. `cost`: it costs more than its price. Cut-off hours don't count, because they end on their own.
 */
export type Closure = 'unlisted' | 'unavailable' | 'cost';

/** Returns the reason why a list closes a product, or null. `listed` is the product's entry in the list. */
export function closureIn(listed: SupplierProduct | undefined, product: CatalogProduct): Closure | null {
  if (!listed) return 'unlisted';
  if (!listed.isAvailable || listed.stock === 0) return 'unavailable';
  return listed.price !== undefined && listed.price > unitPrice(product) ? 'cost' : null;
}

/** Tells whether a list is valid at a given real time. */
export const isCurrent = ({ readAt }: Pick<SupplierList, 'readAt'>, realNow: number): boolean =>
  realNow - readAt < listLifetimeMs;

/** A list's entry for a code. */
export interface ListRow extends SupplierProduct {
  /** Set if the list has the code several times with different prices. */
  hasSeveralPrices?: true;
}

const lowest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** Merges two rows with the same code. It uses the higher price and the lower stock, to be on the safe side. */
function mergeRows(row: ListRow, other: SupplierProduct): ListRow {
  const { price = other.price } = row;
  return {
    ...row,
    ...(price !== undefined && { price: Math.max(price, other.price ?? price) }),
    isAvailable: row.isAvailable && other.isAvailable,
    stock: lowest(row.stock, other.stock),
    isOncePerDay: row.isOncePerDay || other.isOncePerDay,
    pause: row.pause ?? other.pause,
    ...((row.hasSeveralPrices || row.price !== other.price) && { hasSeveralPrices: true }),
  };
}

export function byCode({ products }: SupplierList): ReadonlyMap<string, ListRow> {
  const rows = new Map<string, ListRow>();
  for (const product of products) {
    const row = rows.get(product.code);
    rows.set(product.code, row ? mergeRows(row, product) : product);
  }
  return rows;
}

/**
 * Creates a function that finds a product's entry in lists, which are sorted newest first: its cheapest available entry. A product that
 * names no supplier uses the newest list that has it, because the store doesn't know the first supplier.
 */
export function listedFinder(
  lists: readonly SupplierList[],
): (product: CatalogProduct) => SupplierProduct | undefined {
  const indexed = lists.map((list) => ({ list, listed: byCode(list) }));
  const recent = new Set(saidLately(lists));
  const price = (product: SupplierProduct): number => product.price ?? Number.MAX_SAFE_INTEGER;
  return (product) => {
    const isNamed = (product.suppliers ?? []).length > 0;
    const found = indexed.flatMap(({ list, listed }) => {
      const code = listedCodeOf(product, list.supplier);
      return code !== null && (isNamed || recent.has(list)) ? (listed.get(code) ?? []) : [];
    });
    if (!isNamed) return found[0];
    const open = found.filter(({ isAvailable, stock }) => isAvailable && stock !== 0);
    return (open.length > 0 ? open : found).toSorted((a, b) => price(a) - price(b))[0];
  };
}
