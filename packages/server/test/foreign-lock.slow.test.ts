import { it } from 'vitest';
import { expectReadsUnharmed } from './helpers/foreign-lock.ts';

// foreign-lock.long.test.ts holds it for ten seconds.
it('at most doubles the p99 of reads while another process has the write lock for 4 s', async () => {
  await expectReadsUnharmed(4_000);
}, 60_000);
