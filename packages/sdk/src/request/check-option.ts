import { type CallFacts, TopupUsageError } from '../errors/index.ts';

/** An option's value must be one of those allowed. */
export function checkChoice(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) refuse(name, `one of ${allowed.join(', ')}`);
}

/** An option's value must be a number within these bounds. */
export function checkNumber(
  name: string,
  value: unknown,
  [least, most]: readonly [number, number],
  facts?: CallFacts,
): void {
  if (!(typeof value === 'number' && value >= least && value <= most))
    refuse(name, `a number from ${least} to ${most}`, facts);
}

export function refuse(name: string, allowed: string, facts?: CallFacts): never {
  throw new TopupUsageError('INVALID_OPTION', `${name} must be ${allowed}.`, facts);
}
