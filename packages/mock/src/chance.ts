import type { Operation } from '@topup-kit/core/contract';
import { randomBelow } from '@topup-kit/core/platform';
import type { MockConfig } from './config.ts';
import { chanceOf } from './hash.ts';

/** A flaky service fails one call of so many. */
const flakyEvery = 3;

type Called = Operation | null;

/** What chance does to calls. It goes by the seed, the operation and how often that was called, and by nothing else. */
export interface Chance {
  /** How long the nth call (from 0) to an operation takes, in milliseconds. */
  latency(operation: Called, nth: number): number;
  /** Whether a flaky service fails it. */
  isFlaky(operation: Called, nth: number): boolean;
}

export function createChance({ seed, latency: [least, most] }: MockConfig): Chance {
  return {
    latency: (operation, nth) =>
      least === most
        ? least
        : least + randomBelow(chanceOf(seed, `latency ${operation} ${nth}`), most - least + 1),
    isFlaky: (operation, nth) =>
      nth % flakyEvery === randomBelow(chanceOf(seed, `flaky ${operation}`), flakyEvery),
  };
}
