import { expect, it } from 'vitest';
import { failDisks } from './soak/disk-faults/index.ts';

it('acknowledges no order whose write or sync fails, says so, and writes nothing after a failed sync', async () => {
  // One write and one sync of the log, and the sync of the database.
  let syncs = 0;
  const { syncs: failed, orders } = await failDisks({
    seed: 14,
    picks: ({ kind }, number, isNew) =>
      !isNew && (kind === 'sync' ? [2, 6].includes((syncs += 1)) : number === 60),
  });
  expect(failed).toBeGreaterThanOrEqual(8);
  expect(orders).toBeGreaterThan(0);
});
