import { it } from 'vitest';
import { expectQuotaKept } from './helpers/promo-quota.ts';

it(
  'a promo with a quota of 10 is used by exactly 10 of 100 concurrent orders, over the file store',
  () => expectQuotaKept({ quota: 10, orders: 100 }),
  60_000,
);
