import { it } from 'vitest';
import { expectDamageNamed } from './helpers/damaged-pages.ts';

// start.long.test.ts damages every page.
it(
  'a store with a damaged page is named in the error, whichever of every fourth page it is',
  () => expectDamageNamed(4),
  60_000,
);
