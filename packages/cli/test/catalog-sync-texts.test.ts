import type { SyncPlan } from '@topup-kit/core/engine';
import { describe, expect, it } from 'vitest';
import { documentOf, screenOf, summary } from '../src/commands/catalog/sync.ts';
import { plain } from '../src/output/style.ts';

/** By default, a list by which nothing changes. */
const planOf = (more: object = {}): SyncPlan =>
  // Safe: the code shows only these parts of a plan.
  ({
    list: { supplier: 'digiflazz', readAt: Date.parse('2026-03-29T02:30:00Z'), products: [] },
    ...{ prices: [], closed: [], reopened: [], unlisted: [], thin: [], withoutProduct: [], keptOut: [] },
    ...{ withoutRule: 0, distrust: null, ...more },
  }) as unknown as SyncPlan;

const price = { code: 'ML86', title: '86 Diamond', cost: 20_500, from: 22_000, to: 22_400 };

describe('what a list of a supplier changes', () => {
  it('shows prices, closed products and missing products in a list', () => {
    const plan = planOf({
      prices: [price],
      closed: [{ code: 'ML172', title: '172 Diamond', why: 'unlisted' }],
      ...{ reopened: ['FF50'], unlisted: ['PUBG60'] },
      keptOut: [{ code: 'ML3', title: '3 Diamond', why: 'zero', cost: 0, from: 1_200, to: 100 }],
      thin: [
        { code: 'ML5', cost: 1_500, price: 1_400, isLocked: true },
        { code: 'ML6', cost: 1_500, price: 1_600, isLocked: false },
      ],
      withoutProduct: [{ code: 'NEW1', name: 'New game 1', price: 12_000 }, { code: 'NEW2' }],
    });
    expect(screenOf(plan, plain)).toBe(`New prices: 1
  CODE  TITLE         COST   PRICE     NEW
  ML86  86 Diamond  20,500  22,000  22,400

Kept out: 1
  ML3  costs 0  1,200, not 100  listed at 0: --force

Closed by the list: 1
  ML172  172 Diamond  closed: not listed

Open again: 1
  FF50

Not listed by the supplier: 1
  PUBG60

Too little margin: 2
  ML5  costs 1,500, sold for 1,400  locked
  ML6  costs 1,500, sold for 1,600  no rule

Listed, and not in the catalogue: 2
  NEW1  New game 1  12,000
  NEW2

`);
  });

  it('shows nothing for a list without changes', () => {
    expect(screenOf(planOf(), plain)).toBe('');
  });

  it('shows at most 20 lines for each kind of change', () => {
    const reopened = Array.from({ length: 22 }, (_, index) => `P${index}`);
    const text = screenOf(planOf({ reopened }), plain);
    expect(text).toContain('Open again: 22\n  P0\n');
    expect(text).toMatch(/ {2}P19 *\n {2}and 2 more; --json lists all\n\n$/);
    expect(screenOf(planOf({ reopened: reopened.slice(0, 20) }), plain)).not.toContain('more');
  });

  it('prints a document for programs', () => {
    const plan = planOf({
      prices: [price],
      thin: [{ code: 'ML5', cost: 1_500, price: 1_400, isLocked: true }],
      withoutProduct: [{ code: 'NEW1' }],
      withoutRule: 3,
    });
    expect(documentOf(plan, true)).toEqual({
      ...{ supplier: 'digiflazz', read_at: '2026-03-29T02:30:00.000Z', written: true, prices: [price] },
      ...{ closed: [], kept_out: [], reopened: [], unlisted: [], without_rule: 3, distrust: null },
      thin: [{ code: 'ML5', cost: 1_500, price: 1_400, locked: true }],
      without_product: [{ code: 'NEW1', name: null, brand: null, price: null }],
    });
  });

  it.each<[object, boolean, string]>([
    [{}, false, 'No price changes.'],
    [{}, true, 'No price changes.'],
    [{ withoutRule: 1 }, false, 'No price changes. 1 product without a margin rule.'],
    [{ prices: [price] }, false, '1 price to change. To write it, add --yes.'],
    [{ prices: [price, price] }, false, '2 prices to change. To write them, add --yes.'],
    [{ prices: [price], withoutRule: 2 }, true, '1 price changed. 2 products without a margin rule.'],
    [{ prices: [price], distrust: { message: 'It is short.' } }, true, '1 price changed.'],
    [
      { prices: [price], distrust: { message: 'It is short.' } },
      false,
      "It is short.\nNo price was changed. If the list is right, add --yes --force. Products missing from the newest list\nare closed anyway, because the supplier can't deliver them.",
    ],
  ])('summarises %j in one line: %s', (more, isWritten, words) => {
    expect(summary(planOf(more), isWritten)).toBe(words);
  });
});
