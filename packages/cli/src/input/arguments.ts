import { InvalidArgumentError } from 'commander';

/** Whether a text can be one part of a path: URLs resolve `.` and `..`, and an empty one is another path. */
const isPathPart = (text: string): boolean => text.isWellFormed() && !/^\s*$|^\.\.?$/.test(text);

const partOfPath =
  (example: string) =>
  (text: string): string => {
    if (!isPathPart(text)) throw new InvalidArgumentError(`Give a value such as ${example}.`);
    return text;
  };

/** Reads the id of an order, before anything is asked. */
export const readOrderId = partOfPath('INV-20260329093000-ABCDEFGH');

/** Reads the slug of a game, before anything is asked. */
export const readSlug = partOfPath('mobile-legends');

/** Reads the whole number of an option, before anything is sent. */
export function wholeNumber(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('It takes a whole number.');
  return value;
}
