import { it } from 'vitest';
import { expectDamageNamed } from './helpers/damaged-pages.ts';

// start.long.test.ts damages every page.
it('names the store in the error about damage to every fourth page', () => expectDamageNamed(4), 60_000);
