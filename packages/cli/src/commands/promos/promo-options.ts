import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../../input/arguments.ts';
import { dryRunOption } from '../../input/prompts.ts';
import type { StoreOptions } from '../../store/open.ts';

export interface PromoOptions extends StoreOptions {
  code: string;
  /** Basis points. */
  percent?: number;
  amount?: number;
  maxDiscount?: number;
  quota?: number;
  perCustomer?: number;
  minimum?: number;
  starts?: string;
  ends?: string;
  game?: string[];
  product?: number[];
  paymentMethod?: number[];
  replace?: true;
  dryRun?: true;
}

/** `12.5` is 1250 basis points; read as text, so that no fraction is rounded. */
function basisPoints(text: string): number {
  const [, whole = '', fraction = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const points = Number(whole + fraction.padEnd(2, '0'));
  if (whole === '' || points < 1 || points > 10_000)
    throw new InvalidArgumentError('It takes a number from 0.01 to 100.');
  return points;
}

const day = /^\d{4}-\d\d-\d\d$/;
const withTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?$/;

/** Whether the calendar has the day; Date takes 31 February for a day of March. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, date = 0] = text.slice(0, 10).split('-').map(Number);
  return month >= 1 && month <= 12 && date >= 1 && date <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** A moment; without an offset it is of this machine's zone, and a day alone is its begin, or its end. */
const momentFrom =
  (edge: 'begin' | 'end') =>
  (text: string): string => {
    const date = new Date(day.test(text) ? `${text}T00:00` : text);
    if (!(day.test(text) || withTime.test(text)) || !isDay(text) || Number.isNaN(date.getTime()))
      throw new InvalidArgumentError('It takes a time such as 2026-12-31 or 2026-12-31T18:00+07:00.');
    if (day.test(text) && edge === 'end') date.setDate(date.getDate() + 1);
    return date.toISOString();
  };

function rupiahOff(text: string): number {
  const amount = wholeNumber(text);
  if (amount === 0) throw new InvalidArgumentError('It takes a whole number from 1.');
  return amount;
}

const collected = (text: string, before: number[] = []): number[] => [...before, wholeNumber(text)];

/** Adds the flags that say what a promo is. */
export const addPromoOptions = (command: Command): Command =>
  command
    .requiredOption('--code <code>', 'what customers type')
    .addOption(
      new Option('--percent <number>', 'percent off the price of an item')
        .argParser(basisPoints)
        .conflicts('amount'),
    )
    .option('--amount <rupiah>', 'rupiah off the price of an item', rupiahOff)
    .option('--max-discount <rupiah>', 'the most it takes off an item', wholeNumber)
    .option('--quota <number>', 'how many orders may use it in all', wholeNumber)
    .option('--per-customer <number>', 'how many orders of one phone number may use it', wholeNumber)
    .option('--minimum <rupiah>', 'least price of an order before the promo', wholeNumber)
    .option('--starts <time>', 'from when on; a day alone: from its begin', momentFrom('begin'))
    .option('--ends <time>', 'until when; a day alone: until its end', momentFrom('end'))
    .option('--game <slug...>', 'only for these games')
    .option('--product <id...>', 'only for these products', collected)
    .option('--payment-method <id...>', 'only for these ways to pay', collected)
    .option('--replace', 'put it in the place of the promo that has this code; its uses still count')
    .option(...dryRunOption);
