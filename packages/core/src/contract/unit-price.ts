/** The highest amount in a catalogue, in rupiah. An amount times a quantity times basis points is then a safe integer (ours). */
export const highestAmount = 1_000_000_000;

/** Reads an amount that an operator typed: whole rupiah without separators, up to {@link highestAmount}; null for any other text. */
export function readAmount(text: string): number | null {
  const amount = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return amount <= highestAmount ? amount : null;
}

/**
 * Returns the current price of one unit in integer rupiah, before any promo code: `promo_price` while `is_promo` is true, otherwise
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
