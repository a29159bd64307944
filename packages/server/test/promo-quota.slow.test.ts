import { it } from 'vitest';
import { openFileShop, useUp } from '../../../soak/promo-quota/index.ts';

it(
  'uses a promo with a quota of 100 for exactly 100 of 1,000 concurrent orders, over the file store',
  () => useUp(openFileShop, { quota: 100, orders: 1_000 }),
  60_000,
);
