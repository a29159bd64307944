import { it } from 'vitest';
import { expectOldOrNew } from './helpers/restore-kill.ts';

// `sqlite-restore-kill.slow.test.ts` kills the restore at every change of the file system.
it(
  'a restore that is killed at some points leaves the complete old store or the complete new one',
  () => expectOldOrNew({ first: 5, step: 9 }),
  60_000,
);
