import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canHappen, pairs, stories, tell, tellWithKills } from '../../../soak/money/index.ts';
import { createSqliteStore } from '../src/index.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

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

describe.each(pairs)('a shop with $gateway and $supplier over a store file', (pair) => {
  // Each story is played once to its end, and once with a kill in the midst of it.
  it.each(stories.filter((story) => canHappen(story, pair)))(
    'accounts for everything: $name',
    async (story) => {
      await using folder = await temporaryFolder();
      let steps = 0;
      for (const file of ['whole.db', 'killed.db']) {
        const store = createSqliteStore({ path: join(folder.path, file) });
        const dieAt = file === 'whole.db' ? null : Math.ceil(steps / 2);
        const told = await tell(pair, story, dieAt, store);
        steps = told.steps;
        expect(told.kills).toBe(dieAt === null ? 0 : 1);
        await store.close();
      }
    },
  );
});
