import { expect, it } from 'vitest';
import { readsDuringLock } from './helpers/foreign-lock.ts';

/** Differences below this are the machine's, in milliseconds. */
const noiseMs = 10;

it('p99 of reads is at most twice as high while another process has the write lock for 10 s', async () => {
  const { before, during } = await readsDuringLock(10_000, { compare: true });
  expect(during.p99).toBeLessThanOrEqual(Math.max(2 * (before?.p99 ?? 0), noiseMs));
}, 60_000);
