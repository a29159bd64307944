import { it } from 'vitest';
import { expectOldOrNew, expectRefusedOrNew } from './helpers/restore-kill.ts';

it(
  'a restore that is killed at some points leaves the old store or the new one, whole',
  () => expectOldOrNew({ first: 1, step: 6 }),
  60_000,
);

it(
  'a restore over the log of a lost store that is killed at some points leaves the backup, or what no server starts on',
  () => expectRefusedOrNew({ first: 1, step: 6 }),
  60_000,
);
