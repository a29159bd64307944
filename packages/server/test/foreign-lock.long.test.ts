import { it } from 'vitest';
import { expectReadsUnharmed } from './helpers/foreign-lock.ts';

it('p99 of reads is at most twice as high while another process has the write lock for 10 s', async () => {
  await expectReadsUnharmed(10_000);
}, 60_000);
