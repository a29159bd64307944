import { expect, it } from 'vitest';
import { clientProject } from '../../../../test/shared.ts';
import { clientSize, sizeBars, sizedEntries } from '../../scripts/size.ts';

it.each(sizedEntries)('%s stays within its limit', async (entry) => {
  expect(await clientSize(entry, await clientProject())).toBeLessThanOrEqual(sizeBars[entry]);
});
