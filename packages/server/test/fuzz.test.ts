import { expect, it } from 'vitest';
import { sendFuzz } from '../../../soak/fuzz/index.ts';

// `pnpm soak fuzz` sends a thousand times as many.
it('100 damaged requests get no 5xx and no response outside the contract', async () => {
  expect(await sendFuzz(100, { seed: 1, progress: () => {} })).toContain('100 requests');
});
