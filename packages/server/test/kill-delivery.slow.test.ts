import { it } from 'vitest';
import { expectDeliveredOnce } from './helpers/kill-delivery.ts';

it(
  'delivers paid orders once after a restart, even though the server is killed repeatedly between PAID and Sukses',
  () => expectDeliveredOnce(4),
  60_000,
);
