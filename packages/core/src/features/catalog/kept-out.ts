import { highestAmount } from '../../contract/index.ts';

/**
 * Why a price does not follow the row of a supplier's list. `several-prices`: the list has the code several times, at different prices;
 * `limit`: the price would be higher than a catalogue takes; `zero`: the list says that it costs nothing; `far`: it is less than half or
 * more than double of what it was.
 */
export type KeptOutReason = 'several-prices' | 'limit' | 'zero' | 'far';

/** A product that keeps its price, whatever its row says. Amounts are of one unit: integers in the smallest unit. */
export interface KeptOut {
  code: string;
  title: string;
  why: KeptOutReason;
  /** By the list; the highest of several. */
  cost: number;
  from: number;
  /** The price by its rule. */
  to: number;
}

/** Whether an operator can have the price written with `--force`; otherwise the supplier has to correct its list. */
export const isForcible = ({ why }: Pick<KeptOut, 'why'>): boolean => why === 'zero' || why === 'far';

/** What a list says of the cost of a product. */
export interface ListedCost {
  cost: number;
  /** By the list by which prices were computed last; undefined before the first. */
  before: number | undefined;
  hasSeveralPrices: boolean;
}

const isFar = (amount: number, before: number): boolean => amount > before * 2 || amount * 2 < before;

/** Judges a row by the cost that was trusted last and, without one, by the price that it would change; null when it may be written. */
export function whyKeptOut(
  { cost, before, hasSeveralPrices }: ListedCost,
  { from, to }: Pick<KeptOut, 'from' | 'to'>,
  force: boolean,
): KeptOutReason | null {
  if (hasSeveralPrices) return 'several-prices';
  if (to > highestAmount) return 'limit';
  if (force || cost === before) return null;
  if (cost === 0) return 'zero';
  const [amount, reference] = before ? [cost, before] : [to, from];
  return reference > 0 && isFar(amount, reference) ? 'far' : null;
}

const maxNamed = 5;

const reasonWords: Record<KeptOutReason, (row: Pick<KeptOut, 'cost' | 'from' | 'to'>) => string> = {
  'several-prices': () => 'listed at several prices',
  limit: ({ to }) => `its price would be ${to.toLocaleString('en')}, above the limit of a catalogue`,
  zero: () => 'listed at 0',
  far: ({ cost, from, to }) =>
    `costs ${cost.toLocaleString('en')}, which would change its price from ${from.toLocaleString('en')} to ${to.toLocaleString('en')}`,
};

/** For an operator: `ML86 (listed at 0), ML172 (listed at several prices)`. */
export function keptOutWords(rows: readonly KeptOut[]): string {
  const named = rows.slice(0, maxNamed).map((row) => `${row.code} (${reasonWords[row.why](row)})`);
  const more = rows.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
