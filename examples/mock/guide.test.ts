import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { createTopupMock, scenarios } from '@topup-kit/mock';
import { expect, it } from 'vitest';

const read = (page: string): Promise<string> =>
  readFile(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
const guide = await read('mock');
const folder = new URL('guide/', import.meta.url);
// Files that need a separate tool are part of a recipe, which a journey runs; docs/for-frontend-developers.md shows the page.
const files = [
  ...(await readdir(folder)).filter((file) => file !== 'index.html'),
  '../../recipes/playwright/mock.ts',
];

const blockOf = async (file: string): Promise<string> =>
  `\`\`\`${extname(file).slice(1)}\n${await readFile(new URL(file, folder), 'utf8')}\`\`\``;

it.each(files)('docs/mock.md shows %s as it is, or links to it', async (file) => {
  if (!guide.includes(`](../examples/mock/guide/${file})`)) expect(guide).toContain(await blockOf(file));
});

it('runs every example of docs/mock.md from a file', async () => {
  const shown = (await Promise.all(files.map(blockOf))).filter((block) => guide.includes(block));
  expect(guide.match(/^```\w/gm)).toHaveLength(shown.length);
});

it('docs/mock.md names every scenario, or docs/sandbox.md, to which it links', async () => {
  const sandbox = await read('sandbox');
  for (const name of Object.keys(scenarios).filter((name) => !sandbox.includes(`| \`${name}\` |`)))
    expect(guide).toContain(`\`${name}\`: `);
});

it('docs/mock.md names every control', () => {
  for (const name of Object.keys(createTopupMock())) expect(guide).toContain(name);
});
