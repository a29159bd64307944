import { readFileSync } from 'node:fs';
import type { Example } from './examples.ts';

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

/** The examples of those pages. */
export const examples = pages.flatMap(examplesOf);
