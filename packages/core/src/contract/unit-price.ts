/**
 * The current price of one unit in integer rupiah, before any promo code: `promo_price` while `is_promo` is true, else
 * `selling_price`.
 *
 * @example
 * ```ts
 * unitPrice({ selling_price: 22_000, promo_price: 19_000, is_promo: true }); // 19_000
 * ```
 */
export const unitPrice = ({
  is_promo,
  promo_price,
  selling_price,
}: {
  is_promo: boolean;
  promo_price: number | null;
  selling_price: number;
}): number => (is_promo && promo_price !== null ? promo_price : selling_price);
