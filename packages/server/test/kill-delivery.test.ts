import { it } from 'vitest';
import { expectDeliveredOnce } from './helpers/kill-delivery.ts';

it(
  'a server that is killed between PAID and Sukses delivers every paid order exactly once after a restart',
  () => expectDeliveredOnce(1),
  30_000,
);
