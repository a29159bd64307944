import { expect, it } from 'vitest';
import { randomText, seededRandom } from '../src/platform/index.ts';
import { sha256 } from './helpers/test-service.ts';

it('returns the same bytes for a seed, however the calls divide them', () => {
  const whole = seededRandom(sha256, 'one')(100);
  const piecemeal = seededRandom(sha256, 'one');
  expect([...piecemeal(7), ...piecemeal(60), ...piecemeal(33)]).toEqual([...whole]);
});

it('returns different bytes for another seed', () => {
  expect(seededRandom(sha256, 'one')(32)).not.toEqual(seededRandom(sha256, 'two')(32));
});

it('returns the same bytes on every host and in every version', () => {
  expect(
    randomText(seededRandom(sha256, '42 order 1'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 8),
  ).toMatchInlineSnapshot(`"NURBTRMF"`);
});
