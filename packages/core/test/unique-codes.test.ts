import { describe, expect, it } from 'vitest';
import { uniqueCodes } from '../src/engine/orders/place-order.ts';
import { secureRandom } from '../src/platform/index.ts';

describe('the unique codes to try', () => {
  it('tries 1 to 999, each once, for a bank transfer', () => {
    const codes = [...uniqueCodes('Bank Transfer', secureRandom)];
    expect(codes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 999 }, (_, index) => index + 1));
  });

  it('starts at a random code', () => {
    const firsts = new Set(
      Array.from({ length: 50 }, () => uniqueCodes('Bank Transfer', secureRandom).next().value),
    );
    expect(firsts.size).toBeGreaterThan(30);
  });

  it('tries only 0 for any other method', () => {
    expect([...uniqueCodes('QRIS', secureRandom)]).toEqual([0]);
  });
});
