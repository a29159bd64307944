import { expect, it } from 'vitest';
import { promo } from '../../suites/src/store/fixtures.ts';
import { findPromo, promoState } from '../src/features/index.ts';

const start = Date.UTC(2026, 2, 1);
const end = Date.UTC(2026, 3, 1);
const limited = { starts_at: new Date(start).toISOString(), ends_at: new Date(end).toISOString(), quota: 5 };

it.each([
  ['is active until its end', {}, 4, start, { is: 'active', at: end }],
  ['has not started before its start', {}, 4, start - 1, { is: 'later', at: start }],
  ['has ended at its end, used up or not', {}, 5, end, { is: 'ended', at: end }],
  ['is used up when its uses reach the quota', {}, 5, end - 1, { is: 'used-up', at: null }],
  ['is disabled whatever else it is', { status: false }, 5, end, { is: 'disabled', at: null }],
  [
    'is active without limits',
    { starts_at: null, ends_at: null, quota: null },
    9,
    end,
    { is: 'active', at: null },
  ],
])('checks a promo: %s', (_, changes, uses, now, state) => {
  expect(promoState({ promo: promo({ ...limited, ...changes }), uses }, now)).toEqual(state);
});

it('finds a promo by its code in upper or lower case', () => {
  const known = promo({ code: 'Ramadan10' });
  expect(findPromo([known], 'rAMADAN10')).toBe(known);
  expect(findPromo([known], 'RAMADAN1')).toBeUndefined();
});
