import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import outside from '../outside.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..');

/** The paths that a page names, from the root or from `packages`; not those of what a server stores. */
const pathsOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/`((?:\w[\w.-]*\/)+[\w.-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('data/'));

it.each(['CONTRIBUTING.md', 'RECIPES.md'])('%s names files and folders that are there', (page) => {
  const paths = pathsOf(page);
  expect(paths.length).toBeGreaterThan(30);
  expect(
    paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'packages', path))),
  ).toEqual([]);
});

it('test/outside.json names test files that are there', () => {
  expect(outside.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
