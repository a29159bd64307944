import type { Catalog, CatalogProduct } from '../../store/index.ts';

type Sale = Pick<CatalogProduct, 'is_promo' | 'promo_price' | 'promo_from' | 'promo_until'>;

const moment = (text: string | null | undefined, open: number): number =>
  text === null || text === undefined ? open : Date.parse(text);

/** Returns the start and end of a promo price, in unix milliseconds of world time; null if only `is_promo` decides. */
function spanOf({ promo_from, promo_until }: Sale): SteadyTime | null {
  const from = moment(promo_from, Number.NEGATIVE_INFINITY);
  const until = moment(promo_until, Number.POSITIVE_INFINITY);
  return Number.isFinite(from) || Number.isFinite(until) ? { from, until } : null;
}

/**
 * Returns the product at a given world time. A product with a sale period is on promotion only during this period, and shows its promo
 * price only then. All code that needs a price uses this product.
 */
export function productAt<Product extends Sale>(product: Product, now: number): Product {
  const span = spanOf(product);
  if (!span) return product;
  const isOn = product.promo_price !== null && isWithin(span, now);
  return { ...product, is_promo: isOn, promo_price: isOn ? product.promo_price : null };
}

/** A period in which no promo price of a catalogue starts or ends, in unix milliseconds of world time. */
export interface SteadyTime {
  from: number;
  until: number;
}

/** Returns the period around a given time. */
export function steadyTime({ games }: Pick<Catalog, 'games'>, now: number): SteadyTime {
  const moments = games.flatMap(({ products }) =>
    products.flatMap((product) => Object.values(spanOf(product) ?? {})),
  );
  const steady = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  for (const moment of moments)
    if (moment <= now) steady.from = Math.max(steady.from, moment);
    else steady.until = Math.min(steady.until, moment);
  return steady;
}

export const isWithin = ({ from, until }: SteadyTime, now: number): boolean => from <= now && now < until;
