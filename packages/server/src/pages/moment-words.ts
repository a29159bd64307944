import type { AppSettings } from '@topup-kit/core/app';

/**
 * A moment for people, with the name of its zone: `28 Maret 2026 pukul 10.30 WIB`.
 */
export function momentWords(moment: number, { locale, timezone }: AppSettings): string {
  const words = (timeZoneName: 'short' | 'long'): string =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: timezone,
      timeZoneName,
    }).format(moment);
  const short = words('short');
  // Where a language has no short name for a zone, it tells an offset, which is no name.
  return /GMT[+-]/.test(short) ? words('long') : short;
}
