import type { MarginRule } from '@topup-kit/core/store';
import { money } from '../../output/format.ts';

export function roundingWords({ rounding }: Pick<MarginRule, 'rounding'>): string {
  if (rounding === null) return '';
  return rounding === 'end-900' ? 'up to …900' : `up to ${money(rounding.up)}`;
}

/** A margin rule in one line, such as `8 % + Rp 500, at least Rp 300, up to Rp 100`. */
export function ruleWords({ percent, flat, minimum, floor, rounding }: MarginRule): string {
  const added = [...(percent > 0 ? [`${percent / 100} %`] : []), ...(flat > 0 ? [money(flat)] : [])].join(
    ' + ',
  );
  return [
    ...(added === '' ? [] : [added]),
    ...(minimum > 0 ? [`at least ${money(minimum)}`] : []),
    ...(floor > 0 ? [`from ${money(floor)}`] : []),
    ...(rounding === null ? [] : [roundingWords({ rounding })]),
  ].join(', ');
}
