import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { answerShapesSource } from '../../scripts/answer-shapes.ts';

it('the table of answer shapes is what the contract makes of it', async () => {
  const table = new URL('../../src/validation/answer-shapes.ts', import.meta.url);
  expect(await readFile(table, 'utf8')).toBe(answerShapesSource());
});
