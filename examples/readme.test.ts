import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

// Other tests run these files, so the examples of the first pages work.
it.each([
  ['for-integrators', 'sdk/first-order.ts', 'ts'],
  ['for-frontend-developers', 'mock/in-process.test.ts', 'ts'],
  ['for-frontend-developers', 'mock/guide/index.html', 'html'],
])('docs/%s.md shows %s as it is', async (page, path, language) => {
  expect(await read(`../docs/${page}.md`)).toContain(`\`\`\`${language}\n${await read(path)}\`\`\``);
});

it('the first example of the mock runs without msw', async () => {
  expect(await read('mock/in-process.test.ts')).not.toContain("'@topup-kit/mock'");
});
