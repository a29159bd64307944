import { describe, expect, it } from 'vitest';
import { cutPower } from './soak/power-cut/index.ts';

describe('a power cut', () => {
  it('loses no acknowledged order, whatever of the unsynced writes is on the disk', async () => {
    const { states, unsynced, orders } = await cutPower({ seed: 14, states: 20, every: 30 });
    expect(states).toBeGreaterThanOrEqual(20);
    expect(unsynced).toBeGreaterThan(10);
    expect(orders).toBeGreaterThan(20);
  }, 30_000);

  // So the test above can fail.
  it('is found to lose orders when the store does not wait for the disk', async () => {
    const weaken = (db: { exec: (sql: string) => void }) => db.exec('PRAGMA synchronous = OFF');
    await expect(cutPower({ seed: 14, states: 20, every: 30, weaken })).rejects.toThrow('is lost');
  }, 30_000);
});
