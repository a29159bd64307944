import { expect, it } from 'vitest';
import { sendFuzz } from './soak/fuzz/index.ts';

// `pnpm soak fuzz` sends five hundred times as many.
it('200 damaged requests get no 5xx and no response outside the contract', async () => {
  expect(await sendFuzz(200, { seed: 1, progress: () => {} })).toContain('200 requests');
});
