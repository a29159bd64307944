import { expect, it } from 'vitest';
import { editDistance, suggestSimilar } from '../src/contract/index.ts';

it.each([
  ['', '', 0],
  ['', 'ab', 2],
  ['timeout', 'timeout', 0],
  ['a letter too few', 'a letter to few', 1],
  ['changed', 'chanped', 1],
  ['maxRetires', 'maxRetries', 1],
  ['tiemout', 'timeout', 1],
  ['kitten', 'sitting', 3],
  ['ab', 'ca', 2],
])(
  'measures the distance from %j to %j as %i, with a swap of neighbours as one step',
  (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
    expect(editDistance(other, one)).toBe(distance);
  },
);

it.each([
  ['suplier-down', ['supplier-down']],
  ['TIMEUOT', ['timeout']],
  ['time', ['timeout']],
  ['queryKey', []],
  ['', []],
  ['t'.repeat(64), ['t'.repeat(66)]],
  ['t'.repeat(65), []],
])('suggests words for %j: %j', (typed, meant) => {
  const words = ['totalTimeout', 'timeout', 'headers', 'supplier-down', 't'.repeat(66)];
  expect(suggestSimilar(typed, words)).toEqual(meant);
});

it('suggests the three most similar words that differ in up to a third of their letters', () => {
  expect(suggestSimilar('delivr', ['delivered', 'delivering'])).toEqual(['delivered']);
  const words = ['delivered', 'delivers', 'deliver', 'delivery'];
  expect(suggestSimilar('delivr', words)).toEqual(['deliver', 'delivers', 'delivery']);
});
