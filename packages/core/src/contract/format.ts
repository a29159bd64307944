import type { Locale } from './locale.ts';

/** Returns the number of decimals for display. The rupiah has none in practice, but two in ISO 4217 and some JavaScript engines. */
export const fractionDigits = (currency: string): number =>
  currency === 'IDR'
    ? 0
    : (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      0);

/**
 * Formats an amount for display. The amount is an integer in the currency's smallest unit.
 *
 * @example
 * formatMoney(50_000, 'IDR', 'id'); // 'Rp 50.000', and 'Rp 50,000' for 'en'
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

const units: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }),
);

/**
 * Parses a duration such as `30s`, `31m`, `24h`, `2w` or `1h30m` to milliseconds; undefined for an invalid duration.
 *
 * @example
 * parseDuration('1h30m'); // 5_400_000
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h|d|w))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ms|[smhdw])/g)].reduce(
    (sum, [, count = '0', unit = 'ms']) => sum + Number(count) * (units.get(unit) ?? 0),
    0,
  );
}
