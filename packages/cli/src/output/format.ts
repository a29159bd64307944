import { formatMoney } from '@topup-kit/core/contract';
import type { StoreDisplay } from '@topup-kit/core/store';
import { currentDisplay, displayOf, isValid } from './display.ts';

const day: Intl.DateTimeFormatOptions = { day: '2-digit', month: 'short', year: 'numeric' };
const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit' };
const toTheMinute: Intl.DateTimeFormatOptions = { ...day, hour: '2-digit', minute: '2-digit' };
const withZone: Intl.DateTimeFormatOptions = { ...toTheMinute, timeZoneName: 'short' };
const toTheSecond: Intl.DateTimeFormatOptions = { ...day, ...clock };

/** Text in place of an amount or a time that a service doesn't send. */
const unknown = '?';

const isMoment = (moment: number): boolean => !Number.isNaN(new Date(moment).getTime());

/** Formats a time, padded to the same width for columns, because one abbreviated month in English has four letters. */
const format = (moment: number, options: Intl.DateTimeFormatOptions, timeZone?: string): string =>
  isMoment(moment)
    ? new Intl.DateTimeFormat('en-GB', {
        ...options,
        hourCycle: 'h23',
        timeZone: timeZone ?? currentDisplay().timezone,
      })
        .format(moment)
        .replace('Sept', 'Sep')
    : unknown;

/** Returns the offset at the end of an ISO 8601 time, such as `+07:00`; undefined without an offset. */
const offsetOf = (time: string): string | undefined => {
  const [offset] = /([+-]\d\d:\d\d|Z)$/.exec(time) ?? [];
  if (offset === undefined || isValid({ timeZone: offset })) return offset;
  // Node 20 doesn't support offsets. It has zones for whole hours, whose names have the opposite sign.
  const hours = Number(/^([+-]\d\d):00$/.exec(offset)?.[1] ?? 0);
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
};

/**
 * Formats a time: `29 Mar 2026, 10:00 GMT+7`. An ISO 8601 time keeps its own offset. Unix milliseconds use the zone of `like`, a time from
 * the same service, or otherwise the store's zone. Any other text stays unchanged.
 */
export function readableTime(time: string | number, like?: string): string {
  const moment = new Date(time).getTime();
  if (Number.isNaN(moment)) return typeof time === 'string' ? time : unknown;
  return format(moment, withZone, offsetOf(typeof time === 'string' ? time : (like ?? '')));
}

/** Formats `29 Mar 2026, 10:00 GMT+7` in the zone of a store other than the command's, such as a backup. */
export const timeOfStore = (moment: number, display: StoreDisplay | null): string =>
  format(moment, withZone, displayOf(display).timezone);

/** Formats `29 Mar 2026` in the store's zone. */
export const readableDay = (moment: number): string => format(moment, day);

/** Formats `10:00:31` in the store's zone. */
export const timeOfDay = (moment: number): string => format(moment, clock);

/** Formats `29 Mar, 10:00` for a column of a narrow terminal. */
export const shortTime = (moment: number): string => format(moment, { ...toTheMinute, year: undefined });

/** Formats `29 Mar 2026, 10:00:31` for a column whose title names the zone. */
export const timeInColumn = (moment: number): string => format(moment, toTheSecond);

/** Formats the title of a column of times, with the store's offset at one of them: `WHEN (GMT+7)`. */
export function titleWithZone(title: string, moment: number): string {
  if (!isMoment(moment)) return title;
  const { timezone: timeZone } = currentDisplay();
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' }).formatToParts(moment);
  return `${title} (${parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''})`;
}

/** Formats a number in a response, which may be a string or missing. */
export const numberText = (value: number | string): string => (Number.isNaN(value) ? unknown : String(value));

/** Formats an amount in the store's currency, because responses have none: `Rp 22,000`. A string in place of an amount stays unchanged. */
export const money = (amount: number | string): string =>
  Number.isFinite(amount) ? formatMoney(Number(amount), currentDisplay().currency, 'en') : numberText(amount);

export const isoTime = (moment: number): string => new Date(moment).toISOString();

export const isoTimeOrNull = (moment: number | null): string | null =>
  moment === null ? null : isoTime(moment);

/** Formats milliseconds in the two largest units, or in seconds if short: `31 minutes`, `1 day 2 hours`. */
export function readableDuration(duration: number): string {
  const seconds = Math.round(duration / 1000);
  const parts = [
    counted(Math.floor(seconds / 86_400), 'day'),
    counted(Math.floor(seconds / 3_600) % 24, 'hour'),
    counted(Math.floor(seconds / 60) % 60, 'minute'),
    counted(seconds % 60, 'second'),
  ];
  const first = parts.findIndex((part) => !part.startsWith('0 '));
  if (first === -1) return '0 seconds';
  return parts
    .slice(first, first + 2)
    .filter((part) => !part.startsWith('0 '))
    .join(' ');
}

/** Describes the offset of a sandbox's clock: `3 days ahead of real time`; undefined if the clock was not moved. */
export const clockAhead = (milliseconds: number): string | undefined =>
  milliseconds > 0 ? `${readableDuration(milliseconds)} ahead of real time` : undefined;

/** Formats a number with separators: `1,000,000`. */
export const grouped = (count: number): string => count.toLocaleString('en');

/** Formats names: `ML86, ML172 and 1,203 more`. `count` includes the names that are not shown. */
export const namesAndMore = (shown: readonly string[], count: number): string =>
  `${shown.join(', ')}${count > shown.length ? ` and ${grouped(count - shown.length)} more` : ''}`;

/** Formats a count with its noun: `1 order`, `2 orders`. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`;
