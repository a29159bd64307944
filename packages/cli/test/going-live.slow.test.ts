import { it } from 'vitest';
import { midtransAndVipReseller, rehearse } from './helpers/rehearse-going-live.ts';

it(
  'the rehearsal of docs/going-live.md works, command by command: Midtrans and VIP Reseller',
  {
    timeout: 120_000,
  },
  () => rehearse(midtransAndVipReseller),
);
