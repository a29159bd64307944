import { describe, expect, it } from 'vitest';
import { canHappen, pairs, stories, tellWithKills } from './soak/money/index.ts';

/** Each story begins at another step; `pnpm soak money` kills at every one. */
const every = 6;

describe.each(pairs)('a shop with $gateway and $supplier that is killed at every few steps', (pair) => {
  it.each(stories.filter((story) => canHappen(story, pair)))(
    'accounts for everything: $name',
    { timeout: 60_000 },
    async (story) => {
      expect(await tellWithKills(pair, story, { every })).toBeGreaterThan(2);
    },
  );
});
