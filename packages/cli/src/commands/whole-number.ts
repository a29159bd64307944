import { InvalidArgumentError } from 'commander';

/** Reads the whole number of an option, before anything is sent. */
export function wholeNumber(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('It takes a whole number.');
  return value;
}
