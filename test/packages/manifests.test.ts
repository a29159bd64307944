import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it.each(['sdk', 'mock', 'server', 'cli'])('%s lets programs read its package.json', async (folder) => {
  const text = await readFile(new URL(`../../packages/${folder}/package.json`, import.meta.url), 'utf8');
  const { exports, publishConfig } = JSON.parse(text);

  // Without exports, every file can be read.
  const published = publishConfig?.exports ?? exports ?? { './package.json': './package.json' };
  expect(published).toHaveProperty(['./package.json'], './package.json');
});
