import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { complaintsOf, type Example } from './examples.ts';
import { createPrelude } from './prelude.ts';
import { examplesForTests } from './run-examples.ts';

/** The pages whose examples no other test runs. */
const pages = [
  ...['docs/sdk.md', 'docs/proxy.md', 'docs/conformance.md', 'docs/sandbox.md', 'docs/errors.md'],
  ...['packages/sdk/README.md', 'packages/mock/README.md', 'packages/server/README.md'],
];

const examplesOf = (page: string): Example[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], index) => ({
    of: `${page}, ${index + 1}`,
    code,
  }));

const examples = pages.flatMap(examplesOf);
const names = Object.keys(createPrelude('', undefined));
const run = examplesForTests(names, []);

it('every example compiles', { timeout: 30_000 }, () => {
  expect(complaintsOf(examples, names)).toEqual([]);
});

// A client of a page's own origin runs only in a page.
it.each(examples.filter(({ code }) => !code.includes("baseUrl: '/")))(
  'the example of $of runs',
  async (example) => {
    vi.stubEnv('TOPUP_API_KEY', 'tk_test_example');
    await run(example);
  },
);
