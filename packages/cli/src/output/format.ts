import { formatMoney } from '@topup-kit/core/contract';

const day: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' };
const toTheMinute: Intl.DateTimeFormatOptions = { ...day, hour: '2-digit', minute: '2-digit' };
const withZone: Intl.DateTimeFormatOptions = { ...toTheMinute, timeZoneName: 'short' };
const toTheSecond: Intl.DateTimeFormatOptions = { ...toTheMinute, second: '2-digit' };

/** `29 Mar 2026, 10:00 GMT+7`, in this machine's time zone; returns a text that is not a time unchanged. */
export function readableTime(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toLocaleString('en-GB', withZone);
}

/** `29 Mar 2026`, in this machine's time zone. */
export const readableDay = (moment: number): string => new Date(moment).toLocaleDateString('en-GB', day);

/** `29 Mar 2026, 10:00:31`, for a column whose title shows the time zone. */
export const timeInColumn = (moment: number): string => new Date(moment).toLocaleString('en-GB', toTheSecond);

/** `WHEN (GMT+7)`: the title of a time column, with this machine's time zone at `moment`, in unix milliseconds. */
export function titleWithZone(title: string, moment: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(new Date(moment));
  return `${title} (${parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''})`;
}

/** `Rp 22,000`: responses name no currency, and these services use rupiah. */
export const money = (amount: number): string => formatMoney(amount, 'IDR', 'en');

/** Formats unix milliseconds as ISO 8601. */
export const isoTime = (moment: number): string => new Date(moment).toISOString();

/** `1 order`, `2 orders`. */
export const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;
