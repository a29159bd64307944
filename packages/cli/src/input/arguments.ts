import { parseDuration } from '@topup-kit/core/contract';
import { InvalidArgumentError } from 'commander';

/** Tells whether a string can be a part of a path. URLs resolve `.` and `..`, and an empty part would be another path. */
const isPathPart = (text: string): boolean => text.isWellFormed() && !/^\s*$|^\.\.?$/.test(text);

const partOfPath =
  (example: string) =>
  (text: string): string => {
    if (!isPathPart(text)) throw new InvalidArgumentError(`Give a value such as ${example}.`);
    return text;
  };

export const readOrderId = partOfPath('INV-20260329093000-ABCDEFGH');

export const readSlug = partOfPath('mobile-legends');

export const orderIdArgument = [
  '<order-id>',
  'id of the order, such as INV-20260329093000-ABCDEFGH',
  readOrderId,
] as const;

export const slugArgument = ['<slug>', 'slug of the game, such as mobile-legends', readSlug] as const;

/** Rejects an empty filter, which may be an unset variable of a script, and would list more than intended. */
export function filled(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It must not be empty: give a value, or leave the option out.');
}

export function wholeNumber(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('Give a whole number.');
  return value;
}

/** Length of a day in milliseconds. */
export const dayMs = 24 * 60 * 60_000;

/** Returns a reader of durations in milliseconds, up to a number of days. */
export const durationUpTo =
  (days: number) =>
  (text: string): number => {
    const duration = parseDuration(text);
    if (duration === undefined || duration > days * dayMs)
      throw new InvalidArgumentError(`Give a duration such as 24h or 7d, at most ${days}d.`);
    return duration;
  };
