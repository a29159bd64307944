import { usageError } from '../../errors/cli-error.ts';

export const amountOption = [
  '--amount <number>',
  'refund so much in all, in the smallest unit, such as 22404',
] as const;

/** Reads an amount of money above zero. */
export function readAmount(text: string): number {
  const amount = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (amount > 0) return amount;
  throw usageError(
    `--amount takes a whole number above zero without separators, such as 22404, not "${text}".`,
  );
}
