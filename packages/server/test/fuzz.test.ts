import { expect, it } from 'vitest';
import { sendFuzz } from './soak/fuzz/index.ts';

// `pnpm soak fuzz` sends two hundred times as many.
it('500 damaged requests get no 5xx and no response outside the contract', async () => {
  expect(await sendFuzz(500, { seed: 1, progress: () => {} })).toContain('500 requests');
});
