import { expect, inject, it } from 'vitest';
import { clientSize, sizeBars, sizedEntries } from '../../scripts/size.ts';

it.each(sizedEntries)('%s stays within its limit', async (entry) => {
  expect(await clientSize(entry, inject('project'))).toBeLessThanOrEqual(sizeBars[entry]);
});
