import { it } from 'vitest';
import { expectOldOrNew, expectRefusedOrNew } from './helpers/restore-kill.ts';

// `sqlite-restore-kill.long.test.ts` kills it more often.
it(
  'a restore that is killed at some points leaves the complete old store or the complete new one',
  () => expectOldOrNew({ first: 5, step: 17 }),
  60_000,
);

it(
  'a restore over the log of a lost store that is killed at some points leaves the backup, or what no server starts on',
  () => expectRefusedOrNew({ first: 4, step: 13 }),
  60_000,
);
