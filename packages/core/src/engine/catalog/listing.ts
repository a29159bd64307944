import { unitPrice } from '../../contract/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { CatalogProduct, SupplierList, SupplierProduct } from '../../store/index.ts';
import {
  type Bought,
  type ConfiguredSuppliers,
  codeAt,
  listedCodeOf,
  type Offer,
  offersOf,
  saidLately,
} from '../suppliers.ts';

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

/** What the suppliers said last, for as long as it counts. */
export interface Listing {
  /** When a supplier said it, in unix milliseconds of real time; null before its first list. */
  readAt(supplier: string): number | null;
  /** Whether a supplier's list counts now; what it sells is for sale while it doesn't. */
  counts(supplier: string): boolean;
  /** Where a product is bought, in the order in which it is tried. */
  offersOf(product: CatalogProduct): Offer[];
  /** What the supplier that is tried first says of a product, if its list counts and names it. */
  find(product: CatalogProduct): SupplierProduct | undefined;
  /** What a supplier says of a product that is sold or was ordered, if its list counts and has it. */
  findAt(product: Bought, supplier: string): SupplierProduct | undefined;
  /** Why no supplier can sell a product; null while one can. */
  closureOf(product: CatalogProduct): Closure | null;
  /** Whether one can be bought now: neither closed nor in its cut-off hours. */
  isForSale(product: CatalogProduct): boolean;
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

/** An offer with what its supplier's list says of it. */
interface ListedOffer extends Offer {
  listed: SupplierProduct | undefined;
  closure: Closure | null;
  isForSale: boolean;
}

/** The closures, the one that an operator can do most about first. */
const closures: readonly Closure[] = ['cost', 'unavailable', 'unlisted'];

interface ListingDependencies extends ConfiguredSuppliers<{ name: string }> {
  worldClock: Clock;
  realClock: Clock;
  /** Whether a product is bought where the lists say that it costs least, rather than in its own order. */
  cheapestFirst?: boolean | undefined;
}

/** Indexes what the suppliers listed. */
export function createListing(lists: readonly SupplierList[], deps: ListingDependencies): Listing {
  const { worldClock, realClock, cheapestFirst = false } = deps;
  const indexed = new Map(lists.map((list) => [list.supplier, { list, listed: byCode(list) }]));
  const counting = (supplier: string) => {
    const found = indexed.get(supplier);
    return found && isCurrent(found.list, realClock()) ? found : undefined;
  };

  function listedOffer(offer: Offer, product: CatalogProduct): ListedOffer {
    const list = counting(offer.supplier);
    if (!list) return { ...offer, listed: undefined, closure: null, isForSale: true };
    const listed = list.listed.get(offer.code);
    const closure = closureIn(listed, product);
    const pause = listed?.pause ?? null;
    const now = worldClock();
    const isPaused = pause !== null && pause.from <= now && now < pause.until;
    return { ...offer, listed, closure, isForSale: closure === null && !isPaused };
  }

  /** Those that can sell it now come first. A price that no list says is higher than any other. */
  function listedOffers(product: CatalogProduct): ListedOffer[] {
    const offers = offersOf(product, deps).map((offer) => listedOffer(offer, product));
    if (offers.length < 2) return offers;
    const price = ({ listed }: ListedOffer): number => listed?.price ?? Number.MAX_SAFE_INTEGER;
    return offers.toSorted(
      (a, b) =>
        Number(b.isForSale) - Number(a.isForSale) ||
        Number(b.closure === null) - Number(a.closure === null) ||
        (cheapestFirst ? price(a) - price(b) : 0),
    );
  }

  function closureOf(product: CatalogProduct): Closure | null {
    const found = listedOffers(product).map(({ closure }) => closure);
    if (found.includes(null)) return null;
    // Nobody is configured to sell it.
    return closures.find((closure) => found.includes(closure)) ?? 'unlisted';
  }

  return {
    readAt: (supplier) => indexed.get(supplier)?.list.readAt ?? null,
    counts: (supplier) => counting(supplier) !== undefined,
    offersOf: (product) =>
      listedOffers(product)
        // Bought there, it would be sold at a loss.
        .filter(({ closure }) => closure !== 'cost')
        .map(({ supplier, code }) => ({ supplier, code })),
    find: (product) => listedOffers(product)[0]?.listed,
    findAt: (product, supplier) => counting(supplier)?.listed.get(codeAt(product, supplier)),
    closureOf,
    isForSale: (product) => listedOffers(product).some(({ isForSale }) => isForSale),
  };
}
