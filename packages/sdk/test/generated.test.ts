import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generated } from '../scripts/generate.ts';

it.each(Object.entries(generated))('keeps %s up to date with the contract', async (name, source) => {
  expect(await readFile(new URL(`../src/${name}`, import.meta.url), 'utf8')).toBe(source());
});
