import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import outside from '../outside.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The paths that the page names, from the root or from `packages`; not those of what a server stores. */
const paths = [...page.matchAll(/`((?:\w[\w.-]*\/)+[\w.-]+)`/g)]
  .map(([, path = '']) => path)
  .filter((path) => !path.startsWith('data/'));

it('CONTRIBUTING.md names files and folders that are there', () => {
  expect(paths.length).toBeGreaterThan(60);
  expect(
    paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'packages', path))),
  ).toEqual([]);
});

it('test/outside.json names test files that are there', () => {
  expect(outside.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
