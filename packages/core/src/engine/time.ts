import type { Clock } from '../platform/index.ts';

/** A quarter hour in milliseconds. Offsets change only at quarter hours, so one look-up is enough for each. */
const quarterHour = 15 * 60_000;

export interface ZonedTime {
  /** Local time with its offset: `2026-03-29T10:00:00+07:00`. */
  iso: string;
}

/** Formats by zone. They are cached, because creating one takes longer than a whole order. */
const offsetFormats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(timezone: string): Intl.DateTimeFormat {
  const known = offsetFormats.get(timezone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  offsetFormats.set(timezone, format);
  return format;
}

function offsetReader(timezone: string): (moment: number) => number {
  const format = offsetFormat(timezone);
  return (moment) => {
    const name = format.formatToParts(moment).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  };
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / 60_000;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/**
 * Creates a function that formats unix milliseconds in an IANA time zone.
 *
 * @throws RangeError for an unknown zone.
 * @example
 * zonedTime('Asia/Jakarta')(Date.UTC(2026, 2, 29, 3)).iso; // '2026-03-29T10:00:00+07:00'
 */
export function zonedTime(timezone: string): (moment: number) => ZonedTime {
  const readOffset = offsetReader(timezone);
  let known = { quarter: Number.NaN, offset: 0, text: '' };
  return (moment) => {
    const quarter = Math.floor(moment / quarterHour);
    if (quarter !== known.quarter) {
      const offset = readOffset(moment);
      known = { quarter, offset, text: offsetText(offset) };
    }
    return { iso: new Date(moment + known.offset).toISOString().slice(0, 19) + known.text };
  };
}

/**
 * Converts a local time in an IANA time zone to unix milliseconds. A time that the zone skips is moved past the gap. For a time that occurs
 * twice, it returns one of the two results.
 *
 * @param local ISO 8601 without an offset, such as `2026-12-31T18:00`
 * @throws RangeError for an unknown zone.
 * @example
 * localMoment('Asia/Jakarta', '2026-12-31T18:00'); // Date.UTC(2026, 11, 31, 11)
 */
export function localMoment(timezone: string, local: string): number {
  const readOffset = offsetReader(timezone);
  const asUtc = Date.parse(`${local}Z`);
  // The offset depends on the result. The first result is close enough to read the right offset.
  const first = asUtc - readOffset(asUtc);
  const second = asUtc - readOffset(first);
  return second + readOffset(second) === asUtc ? second : Math.max(first, second);
}

/** The clock of world time, which a sandbox may move ahead of real time. */
export interface WorldClock {
  /** Returns world time in unix milliseconds. */
  now: Clock;
  /** Returns the number of milliseconds by which world time is ahead of real time. */
  offset(): number;
  /** Sets the number of milliseconds by which world time is ahead. */
  setOffset(offset: number): void;
  /** Stops the clock at a given time; null starts it again. */
  hold(moment: number | null): void;
  /** Returns world time as if the clock were not stopped. */
  unheld: Clock;
}

export function createWorldClock(realClock: Clock, offset = 0): WorldClock {
  let ahead = offset;
  let held: number | null = null;
  return {
    now: () => held ?? realClock() + ahead,
    unheld: () => realClock() + ahead,
    offset: () => ahead,
    setOffset(to) {
      ahead = to;
    },
    hold(moment) {
      held = moment;
    },
  };
}
