import { expect, it } from 'vitest';
import { secureRandom } from '../src/platform/index.ts';

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16)).join();

it.each([0, 1, 16, 4_095, 4_096, 4_097, 10_000])('returns %i secure random bytes on request', (length) => {
  for (let draw = 0; draw < 3; draw += 1) expect(secureRandom(length)).toHaveLength(length);
});

it('never repeats secure random bytes, and keeps no copy of them', () => {
  const draws = Array.from({ length: 2_000 }, () => secureRandom(16));
  const first = draws.map(hex);
  for (let draw = 0; draw < 1_000; draw += 1) secureRandom(16);
  expect(draws.map(hex)).toEqual(first);
  expect(new Set(first).size).toBe(2_000);
});

it('returns every byte value about equally often', () => {
  const counts = new Array<number>(256).fill(0);
  for (let draw = 0; draw < 8_000; draw += 1)
    for (const byte of secureRandom(32)) counts[byte] = (counts[byte] ?? 0) + 1;
  // 1,000 of each on average, with a standard deviation of 32.
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(250);
});
