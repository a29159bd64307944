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

const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * The milliseconds of a duration such as `30s`, `31m`, `24h` or `1h30m`; undefined for any other text.
 *
 * @example
 * parseDuration('1h30m'); // 5_400_000
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ms|[smhd])/g)].reduce(
    (sum, [, count = '0', unit = 'ms']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}
