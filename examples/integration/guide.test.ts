import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it('docs/test-your-integration.md shows the tests that run', async () => {
  const guide = await readFile(new URL('../../docs/test-your-integration.md', import.meta.url), 'utf8');
  const tests = await readFile(new URL('worlds.test.ts', import.meta.url), 'utf8');
  expect(guide).toContain(`\`\`\`ts\n${tests}\`\`\``);
});
