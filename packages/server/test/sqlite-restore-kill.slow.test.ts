import { it } from 'vitest';
import { expectOldOrNew } from './helpers/restore-kill.ts';

it(
  'a restore that is killed anywhere leaves the old store or the new one, whole',
  () => expectOldOrNew({ first: 1, step: 1 }),
  60_000,
);
