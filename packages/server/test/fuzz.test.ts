import { expect, it } from 'vitest';
import { sendFuzz } from './soak/fuzz/index.ts';

// `pnpm soak fuzz` sends three hundred times as many.
it('300 damaged requests get no 5xx and no response outside the contract', async () => {
  expect(await sendFuzz(300, { seed: 1, progress: () => {} })).toContain('300 requests');
});
