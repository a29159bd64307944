import { it } from 'vitest';
import { expectDeliveredOnce } from './helpers/kill-delivery.ts';

it(
  'delivers every paid order exactly once after a kill between PAID and Sukses',
  () => expectDeliveredOnce(1),
  30_000,
);
