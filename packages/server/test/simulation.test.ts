import { expect, it } from 'vitest';
import { simulate, traceOf, worldsOf } from '../../../soak/simulation/index.ts';

// 1,000 worlds in all.
it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'a shop does in 100 simulated worlds what the model of the contract says, with seed %i',
  { timeout: 30_000 },
  async (seed) => {
    await simulate(seed, 100);
  },
);

it('a simulated world has the same trace each time, with all responses in it', async () => {
  for (const world of worldsOf(2, 20)) {
    const trace = await traceOf(world);
    expect(trace.length).toBeGreaterThan(world.steps.length);
    expect(await traceOf(world)).toEqual(trace);
  }
});
