import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  canHappen,
  type Pair,
  pairs,
  type Story,
  stories,
  tell,
  tellWithKills,
} from '../../../soak/money/index.ts';
import { expectSound } from '../../../soak/sound.ts';
import { createSqliteStore } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

/** Each story begins at another step; `pnpm soak money` kills at every one, with each pair of providers. */
const every = 6;

/** Each story with one of the pairs with which it can happen. */
const cases = stories.flatMap((story, index): { pair: Pair; story: Story; name: string }[] => {
  const fitting = pairs.filter((pair) => canHappen(story, pair));
  const pair = fitting[index % fitting.length];
  return pair ? [{ pair, story, name: `${story.name} (${pair.gateway}, ${pair.supplier})` }] : [];
});

describe('money in a shop that is killed every few steps', () => {
  it.each(cases)('accounts for all money when $name', { timeout: 60_000 }, async ({ pair, story }) => {
    expect(await tellWithKills(pair, story, { every })).toBeGreaterThan(2);
  });
});

describe('money in a shop over a store file', () => {
  // Each story is played once to its end, and once with a kill in the midst of it.
  it.each(cases)('accounts for all money when $name', async ({ pair, story }) => {
    await using folder = await temporaryFolder();
    let steps = 0;
    for (const file of ['whole.db', 'killed.db']) {
      const path = join(folder.path, file);
      const store = createSqliteStore({ path });
      const dieAt = file === 'whole.db' ? null : Math.ceil(steps / 2);
      const told = await tell(pair, story, dieAt, store);
      steps = told.steps;
      expect(told.kills).toBe(dieAt === null ? 0 : 1);
      await store.close();
      await expectSound({ kind: 'file', path });
    }
  });
});
