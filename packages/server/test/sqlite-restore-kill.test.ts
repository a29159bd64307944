import { it } from 'vitest';
import { expectOldOrNew } from './helpers/restore-kill.ts';

// Where it changes anything at all, `sqlite-restore-kill.slow.test.ts` kills it.
it(
  'a restore that is killed here and there leaves the old store or the new one, whole',
  () => expectOldOrNew({ first: 5, step: 5 }),
  60_000,
);
