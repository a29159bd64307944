import { unitPrice } from '../../contract/index.ts';
import type { CatalogProduct, SupplierList, SupplierProduct } from '../../store/index.ts';
import { listedCodeOf, saidLately } from '../suppliers.ts';

/**
 * How long a list counts, in milliseconds of real time: a day, because it names the cut-off hours of one day. Stock and prices
 * of an older one say nothing any more, and an operator has been alerted for as long that the supplier gives no list.
 */
const listLifetimeMs = 24 * 60 * 60_000;

/**
 * Why nobody can order a product that the operator sells. `unlisted`: the supplier does not name it; `unavailable`: it can't be
 * bought there, or is sold out; `cost`: it costs more than it brings. Cut-off hours are none of these: they end by themselves.
 */
export type Closure = 'unlisted' | 'unavailable' | 'cost';

/** Why a list closes a product; null when it doesn't. `listed` is what the list says of it. */
export function closureIn(listed: SupplierProduct | undefined, product: CatalogProduct): Closure | null {
  if (!listed) return 'unlisted';
  if (!listed.isAvailable || listed.stock === 0) return 'unavailable';
  return listed.price !== undefined && listed.price > unitPrice(product) ? 'cost' : null;
}

/** Whether a list counts at a moment of real time. */
export const isCurrent = ({ readAt }: Pick<SupplierList, 'readAt'>, realNow: number): boolean =>
  realNow - readAt < listLifetimeMs;

/** What a list says of a code. */
export interface ListRow extends SupplierProduct {
  /** Set where the list has the code several times, at different prices. */
  hasSeveralPrices?: true;
}

const lowest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** What two rows of one code say for certain: it costs no more, and there is as much of it. */
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
 * Finds what lists, the newest first, say of a product: where it costs least of where it can be bought. A product that names no supplier is
 * in the newest list that has it, because the store doesn't know which supplier is the first.
 */
export function listedFinder(
  lists: readonly SupplierList[],
): (product: CatalogProduct) => SupplierProduct | undefined {
  const indexed = lists.map((list) => ({ list, listed: byCode(list) }));
  const recent = new Set(saidLately(lists));
  const price = (one: SupplierProduct): number => one.price ?? Number.MAX_SAFE_INTEGER;
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
