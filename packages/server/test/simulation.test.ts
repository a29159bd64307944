import { expect, it } from 'vitest';
import { simulate, traceOf, worldsOf } from '../../../soak/simulation/index.ts';

// 1,000 worlds in all.
it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  "matches the contract's model in 100 simulated worlds, with seed %i",
  { timeout: 30_000 },
  async (seed) => {
    await simulate(seed, 100);
  },
);

it('repeats a simulated world with the same trace and responses', async () => {
  for (const world of worldsOf(2, 20)) {
    const trace = await traceOf(world);
    expect(trace.length).toBeGreaterThan(world.steps.length);
    expect(await traceOf(world)).toEqual(trace);
  }
});
