import { it } from 'vitest';
import { expectDamageNamed } from './helpers/damaged-pages.ts';

it(
  'a store with a damaged page is named in the error, whichever page it is',
  () => expectDamageNamed(1),
  60_000,
);
