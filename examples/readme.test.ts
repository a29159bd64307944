import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

// Other tests run these files, so the examples of README and of the first pages work.
it.each([
  ['README.md', 'mock/first-sale.ts', 'ts'],
  ['docs/for-integrators.md', 'sdk/first-order.ts', 'ts'],
  ['docs/for-frontend-developers.md', 'mock/in-process.test.ts', 'ts'],
  ['docs/for-frontend-developers.md', 'mock/guide/index.html', 'html'],
])('%s shows %s as it is', async (page, path, language) => {
  expect(await read(`../${page}`)).toContain(`\`\`\`${language}\n${await read(path)}\`\`\``);
});

it.each(['mock/first-sale.ts', 'mock/in-process.test.ts'])('runs %s without msw', async (path) => {
  expect(await read(path)).not.toContain("'@topup-kit/mock'");
});
