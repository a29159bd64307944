import type { Catalog, CatalogProduct } from '../../store/index.ts';

/** The moments at which a sale begins and ends, in unix milliseconds; null for a product whose `is_promo` says it. */
function spanOf({ promo_from, promo_until }: CatalogProduct): { from: number; until: number } | null {
  if (!promo_from && !promo_until) return null;
  return {
    from: promo_from ? Date.parse(promo_from) : Number.NEGATIVE_INFINITY,
    until: promo_until ? Date.parse(promo_until) : Number.POSITIVE_INFINITY,
  };
}

/** A product as it is sold at a moment: its `is_promo` says whether `promo_price` is the price then. */
export function soldAt<Product extends CatalogProduct>(product: Product, now: number): Product {
  const span = spanOf(product);
  if (span === null) return product;
  return { ...product, is_promo: now >= span.from && now < span.until };
}

/** The next moment at which a sale begins or ends; infinity when none does. */
export function nextSaleChange({ games }: Pick<Catalog, 'games'>, now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { products } of games)
    for (const product of products) {
      const span = spanOf(product);
      if (span)
        for (const moment of [span.from, span.until]) if (moment > now && moment < next) next = moment;
    }
  return next;
}
