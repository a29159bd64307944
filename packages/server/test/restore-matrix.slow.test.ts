import { expect, it } from 'vitest';
import { restoreMatrix } from '../../../soak/restore-matrix/index.ts';

it('a restore over any state of the files of a store gives the backup, or is refused, and loses nothing', async () => {
  expect(await restoreMatrix.run({ seed: 1, progress: () => {} })).toContain(
    '192 states: 144 times the store was the backup, 48 times the restore was refused',
  );
}, 600_000);
