import type { Clock } from '../../platform/index.ts';
import type { CatalogProduct, SupplierList, SupplierProduct } from '../../store/index.ts';
import { type Bought, type ConfiguredSuppliers, codeAt, type Offer, offersOf } from '../suppliers.ts';
import { isWithin } from './sale-times.ts';
import { byCode, type Closure, closureIn, isCurrent } from './supplier-lists.ts';

/** Data about a product at the time of an order. */
export interface Sale {
  /** The product's entry in the first supplier's list, if the list is valid and has the product. */
  listed: SupplierProduct | undefined;
  /** True if the product can be bought now: neither closed nor in its cut-off hours. */
  isForSale: boolean;
  /** Offers of suppliers, in the order of attempts; null for a product that names no supplier. */
  offers: Offer[] | null;
}

/** The suppliers' newest lists, while they are valid. */
export interface Listing {
  /** Returns when a supplier's list was read, in unix milliseconds of real time; null before its first list. */
  readAt(supplier: string): number | null;
  /** Tells whether a supplier's list is valid now. Without a valid list, all its products are for sale. */
  counts(supplier: string): boolean;
  saleOf(product: CatalogProduct): Sale;
  /** Returns a product's entry in a supplier's list, if the list is valid and has it. The product is for sale or was ordered earlier. */
  findAt(product: Bought, supplier: string): SupplierProduct | undefined;
  /** Returns the reason why no supplier can sell a product; null while a supplier can. */
  closureOf(product: CatalogProduct): Closure | null;
  /** Tells whether a product can be bought now: neither closed nor in its cut-off hours. */
  isForSale(product: CatalogProduct): boolean;
}

/** An offer with its entry in the supplier's list. */
interface ListedOffer extends Offer {
  listed: SupplierProduct | undefined;
  closure: Closure | null;
  isForSale: boolean;
}

/** Reasons for a closure. The reasons that an operator can influence most come first. */
const closures: readonly Closure[] = ['cost', 'unavailable', 'unlisted'];

interface ListingDependencies extends ConfiguredSuppliers<{ name: string }> {
  worldClock: Clock;
  realClock: Clock;
  /** True if products are bought at the lowest listed price instead of in their own order. */
  cheapestFirst?: boolean | undefined;
}

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

  /** Sorts a product's offers: available offers come first. A price that no list has counts as the highest. */
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
    // No configured supplier sells the product.
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
              // A purchase from this supplier would make a loss.
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
