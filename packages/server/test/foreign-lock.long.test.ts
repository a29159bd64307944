import { it } from 'vitest';
import { expectReadsUnharmed } from './helpers/foreign-lock.ts';

it('at most doubles the p99 of reads while another process has the write lock for 10 s', async () => {
  await expectReadsUnharmed(10_000);
}, 60_000);
