import { it } from 'vitest';
import { expectDamageNamed } from './helpers/damaged-pages.ts';

it('names the store with any damaged page in the error', () => expectDamageNamed(1), 60_000);
