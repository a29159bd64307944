import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it.each(['sdk', 'mock', 'server', 'cli'])('lets programs read the package.json of %s', async (folder) => {
  const text = await readFile(new URL(`../../packages/${folder}/package.json`, import.meta.url), 'utf8');
  const { exports, publishConfig } = JSON.parse(text);

  // Without exports, every file can be read.
  const published = publishConfig?.exports ?? exports ?? { './package.json': './package.json' };
  expect(published).toHaveProperty(['./package.json'], './package.json');
});
