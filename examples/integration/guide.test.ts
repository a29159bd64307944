import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it.each(['worlds.test.ts', '../recipes/vitest-server/global-setup.ts'])(
  'docs/test-your-integration.md shows %s, which a test runs',
  async (file) => {
    const guide = await readFile(new URL('../../docs/test-your-integration.md', import.meta.url), 'utf8');
    const shown = await readFile(new URL(file, import.meta.url), 'utf8');
    expect(guide).toContain(`\`\`\`ts\n${shown}\`\`\``);
  },
);
