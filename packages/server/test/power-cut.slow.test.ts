import { expect, it } from 'vitest';
import { cutPower } from '../../../soak/power-cut/index.ts';

// `pnpm soak power-cut` tries 20,000, after every change.
it('loses no acknowledged order in a power cut, in more than 400 states of the disk', async () => {
  const { unsynced } = await cutPower({ seed: 15, states: 400, every: 3 });
  expect(unsynced).toBeGreaterThan(200);
}, 120_000);

it.each(['OFF', 'NORMAL'])(
  'detects that a power cut loses orders with synchronous = %s',
  async (mode) => {
    const weakened = cutPower({
      seed: 15,
      states: 1_000,
      every: 3,
      weaken: (db) => db.exec(`PRAGMA synchronous = ${mode}`),
    });
    await expect(weakened).rejects.toThrow('is lost');
  },
  60_000,
);
