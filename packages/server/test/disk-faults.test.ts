import { expect, it } from 'vitest';
import { failDisks } from '../../../soak/disk-faults/index.ts';

it('acknowledges no order whose sync fails, reports the failure, and writes nothing after it', async () => {
  // The first sync of the database, which is a checkpoint, and the second of the log, which is a commit.
  const seen = new Map<number, number>();
  const { syncs, orders } = await failDisks({
    seed: 14,
    picks(change, _number, isNew) {
      if (isNew || change.kind !== 'sync') return false;
      const count = (seen.get(change.file) ?? 0) + 1;
      seen.set(change.file, count);
      return count === (change.file === 0 ? 1 : 2);
    },
  });
  expect(syncs).toBe(4);
  expect(orders).toBeGreaterThan(0);
}, 30_000);

it('keeps all orders after a power cut if another server took over the log whose sync failed', async () => {
  // Two commits, whose sync of the log fails. By one alone a power cut may take away nothing that was acknowledged.
  let logSyncs = 0;
  const { syncs, orders } = await failDisks({
    seed: 14,
    picks(change, _number, isNew) {
      if (isNew || change.kind !== 'sync' || change.file === 0) return false;
      logSyncs += 1;
      return logSyncs === 1 || logSyncs === 8;
    },
  });
  expect(syncs).toBe(4);
  expect(orders).toBeGreaterThan(0);
}, 30_000);

it('acknowledges no order in a new store whose files a power cut may delete', async () => {
  // The syncs of the folder, and the one of the empty log, with which SQLite syncs the folder.
  const logs: number[] = [];
  const { runs, orders } = await failDisks({
    seed: 14,
    picks(change, number, isNew) {
      if (!isNew) return false;
      if (change.kind === 'sync' && change.file === 2) logs.push(number);
      return change.kind === 'syncFolder' || number === logs[0];
    },
  });
  expect(runs).toBe(8);
  expect(orders).toBeGreaterThan(0);
}, 30_000);
