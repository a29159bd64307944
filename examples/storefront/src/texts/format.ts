import { formatMoney } from '@topup-kit/sdk';
import { currentLanguage, type Language } from './language.ts';

/** Keeps each amount in a text on one line. */
export const keepAmounts = (text: string): string => text.replace(/\bRp (?=\d)/g, 'Rp\u00a0');

/** Formats an amount on one line: `Rp 22.000` in Indonesian, `Rp 22,000` in English. */
export const rupiah = (amount: number): string => keepAmounts(formatMoney(amount, 'IDR', currentLanguage()));

/** Formats a percentage: `0,7%` in Indonesian, `0.7%` in English. */
export const percent = (value: number): string => `${value.toLocaleString(currentLanguage())}%`;

const locales: Record<Language, string> = { id: 'id', en: 'en-GB' };

/** Formats unix milliseconds in the visitor's time zone: `20 Nov 2026, 19.30 WIB`. */
export const formatDateTime = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);

const twoDigits = (number: number): string => String(Math.floor(number)).padStart(2, '0');

/** Formats milliseconds as `29:58` or `23:59:58`. */
export function countdown(left: number): string {
  const seconds = Math.max(0, Math.ceil(left / 1_000));
  const hours = seconds >= 3_600 ? `${twoDigits(seconds / 3_600)}:` : '';
  return `${hours}${twoDigits((seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
}
