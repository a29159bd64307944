import { unitPrice } from '../../contract/index.ts';
import type { CatalogProduct, Promo, Store } from '../../store/index.ts';
import { coversProduct, priceUnit } from '../pricing.ts';
import { isWithin, productAt, type SteadyTime, steadyTime } from './sale-times.ts';
import { type Closure, closureIn, isCurrent, listedFinder } from './supplier-lists.ts';

/** A product that costs more than its price. Amounts are per unit: integers in the smallest unit. */
export interface BelowCost {
  product: CatalogProduct;
  /** The supplier's price. */
  cost: number;
  /** The customer's price, without fees. */
  price: number;
}

/** Formats a product for an operator: `ML86 (cost 23,000, price 22,000)`. */
export const costWords = (
  { product: { code }, cost, price }: BelowCost,
  words = (amount: number): string => amount.toLocaleString('en'),
): string => `${code} (cost ${words(cost)}, price ${words(price)})`;

export type CostSource = Pick<Store, 'revision' | 'readCatalog' | 'readSupplierLists'>;

/** A product for sale with a known cost. */
interface CostedProduct {
  slug: string;
  product: CatalogProduct;
  cost: number;
  closure: Closure | null;
}

/** Reads the open products at a given world time, their costs in the suppliers' newest lists, and when the lists were read. */
async function readCosts(
  store: Pick<CostSource, 'readCatalog' | 'readSupplierLists'>,
  now: number,
): Promise<{ readAt: number; steady: SteadyTime; products: CostedProduct[] } | null> {
  const [catalog, lists] = await Promise.all([store.readCatalog(), store.readSupplierLists()]);
  const [newest] = lists;
  if (!catalog || !newest) return null;
  const find = listedFinder(lists.filter((list) => isCurrent(list, newest.readAt)));
  const games = catalog.games.filter(({ status, hidden }) => status && !hidden);
  const products = games.flatMap(({ slug, products }) =>
    products.flatMap((stored): CostedProduct[] => {
      const product = productAt(stored, now);
      const known = product.status ? find(product) : undefined;
      if (known?.price === undefined) return [];
      return [{ slug, product, cost: known.price, closure: closureIn(known, product) }];
    }),
  );
  return { readAt: newest.readAt, steady: steadyTime(catalog, now), products };
}

/**
 * Results by revision, because alerts are checked often, and reading a long list is slow. The key is the function that reads the revision,
 * because a page may wrap a store's other reads.
 */
const known = new WeakMap<CostSource['revision'], FoundCosts>();

interface FoundCosts {
  revision: number;
  readAt: number | null;
  /** Time for which the result is valid; null if no sale can change it. */
  steady: SteadyTime | null;
  products: BelowCost[];
}

async function findAt(store: CostSource, revision: number, now: number): Promise<FoundCosts> {
  const costs = await readCosts(store, now);
  const closed = costs?.products.filter(({ closure }) => closure === 'cost') ?? [];
  const products = closed.map(({ product, cost }) => ({ product, cost, price: unitPrice(product) }));
  return { revision, readAt: costs?.readAt ?? null, steady: costs?.steady ?? null, products };
}

/**
 * Finds products that are closed because they cost more than their price.
 *
 * @param realNow real time in unix milliseconds
 * @param now world time, which decides which sales are on
 */
export async function findBelowCost(store: CostSource, realNow: number, now = realNow): Promise<BelowCost[]> {
  const revision = await store.revision();
  const before = known.get(store.revision);
  const isCurrentlyKnown =
    before?.revision === revision && (before.steady === null || isWithin(before.steady, now));
  const found = isCurrentlyKnown ? before : await findAt(store, revision, now);
  known.set(store.revision, found);
  const { readAt, products } = found;
  return readAt !== null && isCurrent({ readAt }, realNow) ? products : [];
}

/**
 * Finds promos that would sell an available product below cost.
 *
 * @param realNow real time in unix milliseconds
 */
export async function findPromoLosses(
  store: Pick<CostSource, 'readCatalog' | 'readSupplierLists'>,
  promo: Promo,
  realNow: number,
  now = realNow,
): Promise<BelowCost[]> {
  const costs = await readCosts(store, now);
  if (!costs || !isCurrent(costs, realNow)) return [];
  return costs.products
    .filter(({ slug, product, closure }) => closure === null && coversProduct(promo, slug, product.id))
    .map(({ product, cost }) => ({ product, cost, price: priceUnit(product, promo.discount).after }))
    .filter(({ cost, price }) => cost > price);
}
