import { expect, it } from 'vitest';
import { editDistance, nearest } from '../src/contract/index.ts';

it.each([
  ['', '', 0],
  ['', 'ab', 2],
  ['timeout', 'timeout', 0],
  ['a letter too few', 'a letter to few', 1],
  ['changed', 'chanped', 1],
  ['maxRetires', 'maxRetries', 1],
  ['tiemout', 'timeout', 1],
  ['kitten', 'sitting', 3],
])('the distance from %j to %j is %i, with a swap of neighbours as one step', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
  expect(editDistance(other, one)).toBe(distance);
});

it.each([
  ['suplier-down', ['supplier-down']],
  ['TIMEUOT', ['timeout']],
  ['time', ['timeout']],
  ['queryKey', []],
  ['', []],
  ['t'.repeat(65), []],
])('the words that %j may mean are %j', (typed, meant) => {
  expect(nearest(typed, ['totalTimeout', 'timeout', 'headers', 'supplier-down'])).toEqual(meant);
});
