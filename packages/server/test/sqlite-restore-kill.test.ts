import { it } from 'vitest';
import { expectOldOrNew, expectRefusedOrNew } from './helpers/restore-kill.ts';

// `sqlite-restore-kill.long.test.ts` kills it more often.
it(
  'leaves the complete old or new store after a kill at some points',
  () => expectOldOrNew({ first: 5, step: 17 }),
  60_000,
);

it(
  "leaves the backup, or files that no server starts on, after a kill over a lost store's log",
  () => expectRefusedOrNew({ first: 4, step: 13 }),
  60_000,
);
