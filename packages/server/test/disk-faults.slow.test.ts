import { expect, it } from 'vitest';
import { failDisks } from '../../../soak/disk-faults/index.ts';

it('acknowledges no order that any sync, or every 80th write, fails to store', async () => {
  const { runs, syncs } = await failDisks({
    seed: 15,
    picks: ({ kind }, number, isNew) => (kind === 'sync' && !isNew) || number % 80 === 0,
  });
  expect(syncs).toBeGreaterThan(15);
  expect(runs).toBeGreaterThan(syncs);
}, 120_000);
