import type { Clock } from '../../platform/index.ts';
import type { CatalogProduct, SupplierList, SupplierProduct } from '../../store/index.ts';
import { type Bought, type ConfiguredSuppliers, codeAt, type Offer, offersOf } from '../suppliers.ts';
import { isWithin } from './sale-times.ts';
import { byCode, type Closure, closureIn, isCurrent } from './supplier-lists.ts';

/** What counts when a product is ordered. */
export interface Sale {
  /** What the supplier that is tried first says of it, if its list counts and names it. */
  listed: SupplierProduct | undefined;
  /** Whether one can be bought now: neither closed nor in its cut-off hours. */
  isForSale: boolean;
  /** Where it is bought, in the order in which it is tried; null for one that names no supplier. */
  offers: Offer[] | null;
}

/** What the suppliers said last, for as long as it counts. */
export interface Listing {
  /** When a supplier said it, in unix milliseconds of real time; null before its first list. */
  readAt(supplier: string): number | null;
  /** Whether a supplier's list counts now; what it sells is for sale while it doesn't. */
  counts(supplier: string): boolean;
  saleOf(product: CatalogProduct): Sale;
  /** What a supplier says of a product that is sold or was ordered, if its list counts and has it. */
  findAt(product: Bought, supplier: string): SupplierProduct | undefined;
  /** Why no supplier can sell a product; null while one can. */
  closureOf(product: CatalogProduct): Closure | null;
  /** Whether one can be bought now: neither closed nor in its cut-off hours. */
  isForSale(product: CatalogProduct): boolean;
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
    const isPaused = listed?.pause ? isWithin(listed.pause, worldClock()) : false;
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
    saleOf(product) {
      const offers = listedOffers(product);
      return {
        listed: offers[0]?.listed,
        isForSale: offers.some(({ isForSale }) => isForSale),
        offers: product.suppliers?.length
          ? offers
              // Bought there, it would be sold at a loss.
              .filter(({ closure }) => closure !== 'cost')
              .map(({ supplier, code }) => ({ supplier, code }))
          : null,
      };
    },
    findAt: (product, supplier) => counting(supplier)?.listed.get(codeAt(product, supplier)),
    closureOf,
    isForSale: (product) => listedOffers(product).some(({ isForSale }) => isForSale),
  };
}
