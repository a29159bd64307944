import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { createTopupMock, scenarios } from '@topup-kit/mock';
import { expect, it } from 'vitest';

const guide = await readFile(new URL('../../docs/mock.md', import.meta.url), 'utf8');
const folder = new URL('guide/', import.meta.url);
// What needs a tool of its own is part of a recipe, which a journey runs.
const files = [...(await readdir(folder)), '../../recipes/playwright/mock.ts'];

it.each(files)('docs/mock.md shows %s as it is', async (file) => {
  expect(guide).toContain(
    `\`\`\`${extname(file).slice(1)}\n${await readFile(new URL(file, folder), 'utf8')}\`\`\``,
  );
});

it('every example in docs/mock.md is a file that runs', () => {
  expect(guide.match(/^```\w/gm)).toHaveLength(files.length);
});

it('docs/mock.md names every scenario', () => {
  for (const name of Object.keys(scenarios)) expect(guide).toContain(`| \`${name}\` |`);
});

it('docs/mock.md names every control', () => {
  for (const name of Object.keys(createTopupMock())) expect(guide).toContain(name);
});
