import { it } from 'vitest';
import { expectOldOrNew, expectRefusedOrNew } from './helpers/restore-kill.ts';

it(
  'leaves the complete old or new store after a kill at some points',
  () => expectOldOrNew({ first: 1, step: 6 }),
  60_000,
);

it(
  "leaves the backup, or files that no server starts on, after a kill over a lost store's log",
  () => expectRefusedOrNew({ first: 1, step: 6 }),
  60_000,
);
