import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import outside from '../outside.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..');

/** The paths that a page names, from the root; not those of what a server stores. */
const pathsOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/`((?:\w[\w.-]*\/)+[\w.-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('data/'));

it.each(['CONTRIBUTING.md', 'RECIPES.md', 'docs/how-it-works.md'])(
  'names existing files and folders in %s, from the root',
  (page) => {
    const paths = pathsOf(page);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  },
);

it('names existing test files in test/outside.json', () => {
  expect(outside.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
});

it('keeps CONTRIBUTING.md on one page of at most 1,500 words', () => {
  const words = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(/\s+/);
  expect(words.length).toBeLessThanOrEqual(1_500);
});
