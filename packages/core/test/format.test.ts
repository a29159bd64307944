import { expect, it } from 'vitest';
import { formatMoney, parseDuration } from '../src/contract/index.ts';

it.each([
  [50_000, 'IDR', 'id', 'Rp 50.000'],
  [50_000, 'IDR', 'en', 'Rp 50,000'],
  [123_456, 'USD', 'en', '$1,234.56'],
  [123_456, 'JPY', 'en', '¥123,456'],
  [5, 'USD', 'en', '$0.05'],
] as const)('formats %i in the smallest unit of %s in %s as %s', (amount, currency, locale, text) => {
  expect(formatMoney(amount, currency, locale)).toBe(text);
});

it.each([
  ['250ms', 250],
  ['30s', 30_000],
  ['31m', 1_860_000],
  ['24h', 86_400_000],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
  ['1h30m', 5_400_000],
  ['', undefined],
  ['30', undefined],
  ['30 s', undefined],
  ['30sec', undefined],
  ['in 30s', undefined],
  ['1.5h', undefined],
])('reads the duration %j as %s ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});
