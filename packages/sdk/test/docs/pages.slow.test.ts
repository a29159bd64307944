import { expect, it } from 'vitest';
import { complaintsOf } from './examples.ts';
import { examples } from './pages.ts';
import { createPrelude } from './prelude.ts';

// Every `pnpm test` runs them.
it('compiles every example of the pages', { timeout: 30_000 }, () => {
  expect(complaintsOf(examples, Object.keys(createPrelude('', undefined)))).toEqual([]);
});
