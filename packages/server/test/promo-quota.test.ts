import { it } from 'vitest';
import { openFileShop, useUp } from '../../../soak/promo-quota/index.ts';

it(
  'uses a promo with a quota of 10 for exactly 10 of 100 concurrent orders, over the file store',
  () => useUp(openFileShop, { quota: 10, orders: 100 }),
  60_000,
);
