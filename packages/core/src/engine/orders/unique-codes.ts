import type { PaymentGroup } from '../../contract/index.ts';
import { type Random, randomBelow } from '../../platform/index.ts';

/** Unique codes go from 1 to this; 0 means none. */
const highest = 999;

/**
 * The codes to propose for an order, each once: for a bank transfer 1 to 999 from a random one on, because its
 * payments are told apart by their totals alone; for any other method just 0.
 */
export function* uniqueCodes(group: PaymentGroup, random: Random): Generator<number> {
  if (group !== 'Bank Transfer') return yield 0;
  const start = randomBelow(random, highest);
  for (let step = 0; step < highest; step += 1) yield 1 + ((start + step) % highest);
}
