import { expect, it } from 'vitest';
import { failDisks } from './soak/disk-faults/index.ts';

it('acknowledges no order whose sync fails, says so, and writes nothing after it', async () => {
  // The second sync of the log, which is a commit, and of the database.
  const seen = new Map<number, number>();
  const { syncs, orders } = await failDisks({
    seed: 14,
    picks(change, _number, isNew) {
      if (isNew || change.kind !== 'sync') return false;
      const count = (seen.get(change.file) ?? 0) + 1;
      seen.set(change.file, count);
      return count === 2;
    },
  });
  expect(syncs).toBe(8);
  expect(orders).toBeGreaterThan(0);
}, 30_000);
