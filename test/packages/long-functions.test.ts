import { expect, it } from 'vitest';
import { functionLengths, longFunctions, maxOwnLines } from '../../scripts/long-functions.ts';

it(`has no function with more than ${maxOwnLines} own lines`, () => {
  expect(longFunctions()).toEqual([]);
});

it('counts the lines of a function without the lines of inner functions, blank lines and comments', () => {
  const text = `
function outer(numbers: number[]): number {
  // A comment.
  function inner(): number {
    return 1;
  }

  const sum = numbers.reduce((sum, number) => {
    /* Another. */
    const next = sum + number;
    return next;
  }, 0);
  return inner() + sum;
}`;
  expect(functionLengths('a.ts', text)).toEqual([
    { name: 'a.ts inner', ownLines: 3 },
    { name: 'a.ts sum', ownLines: 4 },
    { name: 'a.ts outer', ownLines: 5 },
  ]);
});
