import { createMemoryStore } from '@topup-kit/core/store';
import { it } from 'vitest';
import { worldsOf } from '../../soak/simulation/index.ts';
import { play } from '../../soak/simulation/play.ts';

// These tests are like simulation.test.ts, but with a few worlds per test, and without a search for the shortest trace, because both would
// take seconds per mutant.
it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])(
  "a shop behaves in 10 simulated worlds as the contract's model says, with seed %i",
  async (seed) => {
    for (const world of worldsOf(seed, 10)) await play(world, createMemoryStore());
  },
);
