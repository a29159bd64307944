import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { picturesFolder, readSeen, seenFile } from '../../../scripts/pictures.ts';

it('shows each picture of the script in the guide', async () => {
  const guide = await readFile(join(picturesFolder, '../console.md'), 'utf8');
  const shown = [...guide.matchAll(/\]\(pictures\/([^)]+)\)/g)].map(([, name = '']) => name);
  const taken = (await readdir(picturesFolder)).filter((name) => /^console-.*\.png$/.test(name));
  expect(shown.toSorted()).toEqual(taken.toSorted());
});

// When this fails, `npx -y pnpm@12 pictures` takes them again.
it('contains current pictures of the pages', async () => {
  expect(await readSeen()).toEqual(JSON.parse(await readFile(seenFile, 'utf8')));
});
