import { unitPrice } from '../../contract/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { CatalogProduct, SupplierList, SupplierProduct } from '../../store/index.ts';

/**
 * How long a list counts, in milliseconds of real time: a day, because it names the cut-off hours of one day. Stock and prices
 * of an older one say nothing any more, and an operator has been alerted for as long that the supplier gives no list.
 */
const listLifetimeMs = 24 * 60 * 60_000;

/** What a product is called here and at the supplier. */
type CodedProduct = Pick<CatalogProduct, 'code'> & Partial<Pick<CatalogProduct, 'supplier_code'>>;

/** The code by which a supplier knows a product. */
export const supplierCodeOf = ({ code, supplier_code }: CodedProduct): string => supplier_code ?? code;

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

/** What the supplier said last, for as long as it counts. */
export interface Listing {
  /** When it was said, in unix milliseconds of real time; null before the first list. */
  readAt: number | null;
  /** Whether it counts now; everything is for sale while nothing does. */
  counts(): boolean;
  /** What it says of a product, if it counts and names it. */
  find(product: CodedProduct): SupplierProduct | undefined;
  closureOf(product: CatalogProduct): Closure | null;
  /** Whether one can be bought now: neither closed nor in its cut-off hours. */
  isForSale(product: CatalogProduct): boolean;
}

/** Whether a list counts at a moment of real time. */
export const isCurrent = ({ readAt }: Pick<SupplierList, 'readAt'>, realNow: number): boolean =>
  realNow - readAt < listLifetimeMs;

export const byCode = ({ products }: SupplierList): ReadonlyMap<string, SupplierProduct> =>
  new Map(products.map((product) => [product.code, product]));

/** Indexes a list; null stands for none. */
export function createListing(
  list: SupplierList | null,
  { worldClock, realClock }: { worldClock: Clock; realClock: Clock },
): Listing {
  const listed = list ? byCode(list) : new Map<string, SupplierProduct>();
  const counts = (): boolean => list !== null && isCurrent(list, realClock());
  const find = (product: CodedProduct): SupplierProduct | undefined =>
    counts() ? listed.get(supplierCodeOf(product)) : undefined;
  const closureOf = (product: CatalogProduct): Closure | null =>
    counts() ? closureIn(find(product), product) : null;
  return {
    readAt: list?.readAt ?? null,
    counts,
    find,
    closureOf,
    isForSale(product) {
      if (closureOf(product) !== null) return false;
      const pause = find(product)?.pause ?? null;
      const now = worldClock();
      return pause === null || now < pause.from || now >= pause.until;
    },
  };
}
