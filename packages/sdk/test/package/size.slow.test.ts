import { expect, inject, it } from 'vitest';
import { clientSize, type SizedEntry, sizeBars, sizedEntries } from '../../scripts/size.ts';

/**
 * Bytes that no change may exceed unnoticed. The client with ky and validation is 9 % above the bar that
 * `pnpm bench sdk-size` shows (16 kB, of which ky is 8.9): see decisions/008. The light one is far below its own.
 */
const ceilings: Record<SizedEntry, number> = {
  '@topup-kit/sdk': 17_900,
  '@topup-kit/sdk/light': 7_900,
};

it.each(sizedEntries)('%s grows no larger than it is', async (entry) => {
  expect(await clientSize(entry, inject('project'))).toBeLessThanOrEqual(ceilings[entry]);
});

it('the light client meets the bar of the measures', async () => {
  const entry = '@topup-kit/sdk/light';
  expect(await clientSize(entry, inject('project'))).toBeLessThanOrEqual(sizeBars[entry]);
});
