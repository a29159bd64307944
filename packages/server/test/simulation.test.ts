import { describe, expect, it } from 'vitest';
import { simulate, traceOf, worldsOf } from './soak/simulation/index.ts';

describe('a simulated shop', () => {
  it('does in 1,000 worlds what the model says', async () => {
    await simulate(1, 1_000);
  });
});
