import { expect, it } from 'vitest';
import { functionLengths, longFunctions, maxOwnLines } from '../../scripts/long-functions.ts';

/** Those that put a server together. Whoever shortens one takes it off. */
const exceptions = [
  'server/src/service/service.ts createService',
  'server/src/service/start-service.ts startService',
];

it(`no function of the packages has more than ${maxOwnLines} lines of its own`, () => {
  const long = longFunctions().filter(({ name }) => !exceptions.includes(name));
  expect(long).toEqual([]);
});

it('counts the lines of a function without those of inner functions, blank lines and comments', () => {
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
