import { existsSync, readFileSync } from 'node:fs';
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
  '%s names files and folders that are there, from the root',
  (page) => {
    const paths = pathsOf(page);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  },
);

it('test/outside.json names test files that are there', () => {
  expect(outside.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('CONTRIBUTING.md is a page of at most 1,500 words', () => {
  const words = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(/\s+/);
  expect(words.length).toBeLessThanOrEqual(1_500);
});
