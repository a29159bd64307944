import type { Language } from './use-texts.ts';

/** `Rp 22.000`: everyone who pays in rupiah reads it so, in whatever language. */
export const rupiah = (amount: number): string => `Rp ${new Intl.NumberFormat('id').format(amount)}`;

const locales: Record<Language, string> = { id: 'id', en: 'en-GB' };

/** A moment in unix milliseconds, in the visitor's own zone: `20 Nov 2026, 19.30 WIB`. */
export const moment = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);

const pair = (number: number): string => String(Math.floor(number)).padStart(2, '0');

/** Milliseconds as `29:58`, or `23:59:58`. */
export function countdown(left: number): string {
  const seconds = Math.max(0, Math.ceil(left / 1_000));
  const hours = seconds >= 3_600 ? `${pair(seconds / 3_600)}:` : '';
  return `${hours}${pair((seconds / 60) % 60)}:${pair(seconds % 60)}`;
}
