import { join } from 'node:path';
import { expect, it } from 'vitest';
import { simulate, worldsOf } from '../../../soak/simulation/index.ts';
import { expectSound } from '../../../soak/sound.ts';
import { createSqliteStore } from '../src/internal.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

it('matches the model in simulated worlds over a store file', { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder();
  let count = 0;
  await simulate(3, 60, () => {
    count += 1;
    const path = join(folder.path, `${count}.db`);
    const store = createSqliteStore({ path });
    return {
      ...store,
      async close() {
        await store.close();
        await expectSound({ kind: 'file', path });
      },
    };
  });
  expect(count).toBe(60);
});

it('creates different worlds with another seed', () => {
  expect(worldsOf(1, 5)).not.toEqual(worldsOf(2, 5));
});
