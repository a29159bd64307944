import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const guide = await readFile(new URL('../../docs/test-your-integration.md', import.meta.url), 'utf8');

it("docs/test-your-integration.md shows the helper that the recipe's test runs", async () => {
  const helper = new URL('../recipes/vitest-server/global-setup.ts', import.meta.url);
  expect(guide).toContain(`\`\`\`ts\n${await readFile(helper, 'utf8')}\`\`\``);
});

it('links the tests of docs/test-your-integration.md to separate worlds', () => {
  expect(guide).toContain('](../examples/integration/worlds.test.ts)');
});
