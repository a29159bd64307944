import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exportingPackages, exportList, listPath, rewrite } from '../../../../scripts/exports.ts';

it.each(exportingPackages)('%s exports exactly the names in its exports.txt', async (name) => {
  const listed = await readFile(listPath(name), 'utf8');

  expect(
    exportList(name),
    `packages/${name}/exports.txt lists what is public. Was it meant to change? Then run ${rewrite}.`,
  ).toBe(listed);
});

it('never imports core, which is not published, in documents and examples', async () => {
  const cwd = fileURLToPath(new URL('../../../../', import.meta.url));
  const paths = globSync('{README.md,docs/*.md,packages/*/*.md,examples/**/*.{ts,tsx,js,mjs,md,html,json}}', {
    cwd,
    exclude: ['**/node_modules/**', '**/dist/**'],
  });
  const texts = await Promise.all(paths.map((path) => readFile(`${cwd}/${path}`, 'utf8')));

  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((_path, index) => texts[index]?.includes('@topup-kit/core/'))).toEqual([]);
});
