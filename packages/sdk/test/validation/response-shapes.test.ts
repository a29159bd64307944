import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { responseShapesSource } from '../../scripts/response-shapes.ts';

it('the table of response shapes is up to date with the contract', async () => {
  const table = new URL('../../src/validation/response-shapes.ts', import.meta.url);
  expect(await readFile(table, 'utf8')).toBe(responseShapesSource());
});
