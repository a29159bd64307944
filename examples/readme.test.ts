import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

// Other tests run these files, so the examples in the README work.
it.each(['sdk/first-order.ts', 'mock/in-process.test.ts'])('the README shows %s as it is', async (path) => {
  expect(await read('../README.md')).toContain(`\`\`\`ts\n${await read(path)}\`\`\``);
});

it('the first example of the mock runs without msw', async () => {
  expect(await read('mock/in-process.test.ts')).not.toContain("'@topup-kit/mock'");
});
