import { expect, inject, it } from 'vitest';
import { clientSize, type SizedEntry, sizeBars, sizedEntries } from '../../scripts/size.ts';

/**
 * Size limits in bytes. The client with ky and validation is 25 % above the target of `pnpm bench sdk-size` (16 kB, of
 * which ky is 8.9): see decisions/008. The light client is far below its target.
 */
const ceilings: Record<SizedEntry, number> = {
  '@topup-kit/sdk': 20_200,
  '@topup-kit/sdk/light': 10_400,
};

it.each(sizedEntries)('%s stays within its limit', async (entry) => {
  expect(await clientSize(entry, inject('project'))).toBeLessThanOrEqual(ceilings[entry]);
});

it('the light client meets its target', async () => {
  const entry = '@topup-kit/sdk/light';
  expect(await clientSize(entry, inject('project'))).toBeLessThanOrEqual(sizeBars[entry]);
});
