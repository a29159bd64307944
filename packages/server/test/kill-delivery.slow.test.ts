import { it } from 'vitest';
import { expectDeliveredOnce } from './helpers/kill-delivery.ts';

it(
  'a server that is killed again and again between PAID and Sukses delivers what was paid for when it starts again, once',
  () => expectDeliveredOnce(4),
  60_000,
);
