import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyMarginRule } from '../src/features/catalog/margins.ts';
import type { MarginRule } from '../src/features/store.ts';

const rule = (over: Partial<MarginRule>): MarginRule => ({
  ...{ percent: 0, flat: 0, minimum: 0, floor: 0, rounding: null },
  ...over,
});

it.each([
  ['the percentage applies to the cost, rounded up', rule({ percent: 825 }), 10_001, 10_827],
  ['percentage and flat amount are added', rule({ percent: 800, flat: 500 }), 10_000, 11_300],
  ['the minimum applies if it is higher', rule({ percent: 100, minimum: 300 }), 10_000, 10_300],
  ['the minimum does not apply if it is lower', rule({ percent: 800, minimum: 300 }), 10_000, 10_800],
  ['the floor is the lowest price', rule({ percent: 800, floor: 5_000 }), 100, 5_000],
  ['the price is rounded up to a multiple', rule({ flat: 1, rounding: { up: 500 } }), 10_000, 10_500],
  ['a multiple stays unchanged', rule({ flat: 500, rounding: { up: 500 } }), 10_000, 10_500],
  ['the price is rounded up to end in 900', rule({ flat: 1, rounding: 'end-900' }), 10_000, 10_900],
  ['900 stays unchanged', rule({ rounding: 'end-900' }), 10_900, 10_900],
  ['901 becomes the next price that ends in 900', rule({ flat: 1, rounding: 'end-900' }), 10_900, 11_900],
])('computes a price from a rule: %s', (_name, margin, cost, price) => {
  expect(applyMarginRule(margin, cost)).toBe(price);
});

const amount = fc.integer({ min: 0, max: 10_000_000 });
const rules: fc.Arbitrary<MarginRule> = fc.record({
  percent: fc.integer({ min: 0, max: 100_000 }),
  flat: amount,
  minimum: amount,
  floor: amount,
  rounding: fc.oneof(
    fc.constant(null),
    fc.constant('end-900' as const),
    fc.record({ up: fc.integer({ min: 1, max: 10_000 }) }),
  ),
});

it('rounds a price to a whole number, by less than a step, and never below the cost plus the minimum profit or the minimum price', () => {
  fc.assert(
    fc.property(rules, amount, (margin, cost) => {
      const price = applyMarginRule(margin, cost);
      const exact = applyMarginRule({ ...margin, rounding: null }, cost);
      expect(Number.isSafeInteger(price)).toBe(true);
      expect(price).toBeGreaterThanOrEqual(Math.max(cost + margin.minimum, margin.floor, exact));
      const step = margin.rounding === null ? 1 : margin.rounding === 'end-900' ? 1_000 : margin.rounding.up;
      expect(price - exact).toBeLessThan(step);
      if (margin.rounding === 'end-900') expect(price % 1_000).toBe(900);
      else expect(price % step).toBe(0);
    }),
  );
});

it('never lowers a price when the cost rises', () => {
  fc.assert(
    fc.property(rules, amount, amount, (margin, a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      expect(applyMarginRule(margin, low)).toBeLessThanOrEqual(applyMarginRule(margin, high));
    }),
  );
});
