import { expect, it } from 'vitest';
import { cutPower } from '../../../soak/power-cut/index.ts';

// The slow form shows that it finds what is lost when the store does not wait for the disk.
it('loses no acknowledged order in a power cut, whichever unsynced writes reached the disk', async () => {
  const { states, unsynced, orders } = await cutPower({ seed: 14, states: 20, every: 30 });
  expect(states).toBeGreaterThanOrEqual(20);
  expect(unsynced).toBeGreaterThan(10);
  expect(orders).toBeGreaterThan(20);
}, 30_000);
