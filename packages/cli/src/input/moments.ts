import { parseDuration } from '@topup-kit/core/contract';
import { InvalidArgumentError } from 'commander';
import { usageError } from '../errors/cli-error.ts';
import { type Io, setting } from '../io.ts';
import { currentDisplay } from '../output/display.ts';
import { isoTime, readableTime } from '../output/format.ts';
import { given } from './given.ts';

const day = /^\d{4}-\d\d-\d\d$/;
const withTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?$/;

/** Tells whether the day exists, because Date accepts 31 February as a day in March. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, date = 0] = text.slice(0, 10).split('-').map(Number);
  return month >= 1 && month <= 12 && date >= 1 && date <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export const isTimeText = (text: string): boolean =>
  (day.test(text) || withTime.test(text)) && isDay(text) && !Number.isNaN(Date.parse(text));

export function timeText(text: string): string {
  if (!isTimeText(text))
    throw new InvalidArgumentError('Give a time such as 2026-12-31 or 2026-12-31T18:00+07:00.');
  return text;
}

/** Formats the day in the store's zone: `2026-12-31`. */
const dayAt = (moment: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: currentDisplay().timezone }).format(moment);

/** Checks a start or an end: a time, a day, `today`, `yesterday`, or a time ago. */
export function whenText(text: string): string {
  if (text !== 'today' && text !== 'yesterday' && parseDuration(text) === undefined && !isTimeText(text))
    throw new InvalidArgumentError(
      'Give a time such as 2026-12-31, 2026-12-31T18:00+07:00, today, yesterday or 2h (ago).',
    );
  return text;
}

/**
 * Reads `--since` and `--until` as unix milliseconds. A missing end is omitted.
 * @throws CliError if the span is empty.
 */
export async function readSpan(
  io: Io,
  { since, until }: { since?: string | undefined; until?: string | undefined },
  now: number,
): Promise<{ from?: number; before?: number }> {
  if (since === undefined && until === undefined) return {};
  const read = await whenReader(io, now);
  const [from, before] = [read(since, 'begin'), read(until, 'end')];
  if (from !== undefined && before !== undefined && before <= from)
    throw usageError(`--until (${readableTime(before)}) must be later than --since (${readableTime(from)}).`);
  return given({ from, before });
}

/**
 * Creates a function that reads the texts of {@link whenText} as unix milliseconds. A day means its start, or its end, which is the start
 * of the next day.
 */
export async function whenReader(
  io: Io,
  now: number,
): Promise<(text: string | undefined, edge: 'begin' | 'end') => number | undefined> {
  const readMoment = await momentReader(io);
  const dayOf = (text: string): string => {
    if (text === 'today') return dayAt(now);
    return text === 'yesterday' ? dayBefore(dayAt(now)) : text;
  };
  return (text, edge) => {
    if (text === undefined) return undefined;
    const ago = parseDuration(text);
    return ago === undefined ? Date.parse(readMoment(dayOf(text), edge) ?? '') : now - ago;
  };
}

const dayBefore = (text: string): string =>
  new Date(Date.parse(text) - 24 * 60 * 60_000).toISOString().slice(0, 10);

const dayAfter = (text: string): string =>
  new Date(Date.parse(text) + 24 * 60 * 60_000).toISOString().slice(0, 10);

/** Creates a function that reads times, in the store's zone if they have no offset. A day means its start or its end. */
export async function momentReader(
  io: Io,
): Promise<(text: string | undefined, edge: 'begin' | 'end') => string | null> {
  const { localMoment } = await import('@topup-kit/core/engine');
  const { timezone } = currentDisplay();
  const wanted = setting(io, 'TOPUP_TIMEZONE');
  if (wanted && wanted !== timezone)
    throw usageError(`TOPUP_TIMEZONE must be a time zone such as Asia/Jakarta, not "${wanted}".`);
  return (text, edge) => {
    if (text === undefined) return null;
    if (/(Z|[+-]\d\d:\d\d)$/.test(text) && !day.test(text)) return isoTime(Date.parse(text));
    const local = day.test(text) ? `${edge === 'end' ? dayAfter(text) : text}T00:00` : text;
    return isoTime(localMoment(timezone, local));
  };
}
