import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { createTopupMock, scenarios } from '@topup-kit/mock';
import { expect, it } from 'vitest';

const read = (page: string): Promise<string> =>
  readFile(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
const guide = await read('mock');
const folder = new URL('guide/', import.meta.url);
// docs/for-frontend-developers.md shows the page.
const files = (await readdir(folder)).filter((file) => file !== 'index.html');

it.each(files)('docs/mock.md shows %s as it is', async (file) => {
  expect(guide).toContain(
    `\`\`\`${extname(file).slice(1)}\n${await readFile(new URL(file, folder), 'utf8')}\`\`\``,
  );
});

it('every example in docs/mock.md is a file that runs', () => {
  expect(guide.match(/^```\w/gm)).toHaveLength(files.length);
});

it('docs/mock.md names every scenario, or docs/sandbox.md, to which it links', async () => {
  const sandbox = await read('sandbox');
  for (const name of Object.keys(scenarios).filter((name) => !sandbox.includes(`| \`${name}\` |`)))
    expect(guide).toContain(`\`${name}\`: `);
});

it('docs/mock.md names every control', () => {
  for (const name of Object.keys(createTopupMock())) expect(guide).toContain(name);
});
