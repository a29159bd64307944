import { it, vi } from 'vitest';
import { examples } from './pages.ts';
import { createPrelude } from './prelude.ts';
import { examplesForTests } from './run-examples.ts';

const names = Object.keys(createPrelude('', undefined));
const run = examplesForTests(names, []);

// A client of a page's own origin runs only in a page.
it.each(examples.filter(({ code }) => !code.includes("baseUrl: '/")))(
  'runs the example of $of',
  async (example) => {
    vi.stubEnv('TOPUP_API_KEY', 'tk_test_example');
    await run(example);
  },
);
