import { expect, it } from 'vitest';
import { cutPower } from '../../../soak/power-cut/index.ts';

// The slow form shows that it finds what is lost when the store does not wait for the disk.
it('a power cut loses no acknowledged order, whatever of the unsynced writes is on the disk', async () => {
  const { states, unsynced, orders } = await cutPower({ seed: 14, states: 20, every: 30 });
  expect(states).toBeGreaterThanOrEqual(20);
  expect(unsynced).toBeGreaterThan(10);
  expect(orders).toBeGreaterThan(20);
}, 30_000);
