import type { Locale } from './errors.ts';

/** Engines disagree on whether the rupiah has decimals (ISO 4217 gives it two); nobody uses them. */
const fractionDigits = (currency: string): number =>
  currency === 'IDR'
    ? 0
    : (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      0);

/**
 * An amount for people: `formatMoney(50000, 'IDR', 'id')` is `Rp 50.000`, in English `Rp 50,000`.
 * The amount is an integer in the currency's smallest unit.
 */
export function formatMoney(amount: number, currency: string, locale: Locale): string {
  const digits = fractionDigits(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
    .format(amount / 10 ** digits)
    .replaceAll('\u00a0', ' ');
}
