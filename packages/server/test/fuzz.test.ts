import { expect, it } from 'vitest';
import { sendFuzz } from '../../../soak/fuzz/index.ts';

// `pnpm soak fuzz` sends a thousand times as many.
it('responds to 100 damaged requests without a 5xx, and within the contract', async () => {
  expect(await sendFuzz(100, { seed: 1, progress: () => {} })).toContain('100 requests');
});
