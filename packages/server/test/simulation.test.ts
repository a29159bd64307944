import { expect, it } from 'vitest';
import { simulate, traceOf, worldsOf } from './soak/simulation/index.ts';

it('a shop does in 1,000 simulated worlds what the model of the contract says', async () => {
  await simulate(1, 1_000);
});

it('a simulated world has the same trace each time, with all responses in it', async () => {
  for (const world of worldsOf(2, 20)) {
    const trace = await traceOf(world);
    expect(trace.length).toBeGreaterThan(world.steps.length);
    expect(await traceOf(world)).toEqual(trace);
  }
});
