import type { Catalog, CatalogProduct } from '../../store/index.ts';

type Sale = Pick<CatalogProduct, 'is_promo' | 'promo_price' | 'promo_from' | 'promo_until'>;

const moment = (text: string | null | undefined, open: number): number =>
  text === null || text === undefined ? open : Date.parse(text);

/** When a promo price begins and ends, in unix milliseconds of world time; null for one that `is_promo` alone decides. */
function spanOf({ promo_from, promo_until }: Sale): SteadyTime | null {
  const from = moment(promo_from, Number.NEGATIVE_INFINITY);
  const until = moment(promo_until, Number.POSITIVE_INFINITY);
  return Number.isFinite(from) || Number.isFinite(until) ? { from, until } : null;
}

/**
 * The product as it is sold at a moment of world time: one with a span is on promotion exactly within it, and shows its promo
 * price only then. Everything that needs a price reads it from this product.
 */
export function productAt<Product extends Sale>(product: Product, now: number): Product {
  const span = spanOf(product);
  if (!span) return product;
  const isOn = product.promo_price !== null && isWithin(span, now);
  return { ...product, is_promo: isOn, promo_price: isOn ? product.promo_price : null };
}

/** A stretch of time in which no promo price of a catalogue begins or ends, in unix milliseconds of world time. */
export interface SteadyTime {
  from: number;
  until: number;
}

/** The stretch around a moment. */
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
