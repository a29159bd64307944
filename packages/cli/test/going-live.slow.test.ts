import { it } from 'vitest';
import { duitkuAndTokovoucher, midtransAndVipReseller, rehearse } from './helpers/rehearse-going-live.ts';

it.each([midtransAndVipReseller, duitkuAndTokovoucher])(
  'the rehearsal of docs/going-live.md works, command by command: $gateway and $supplier',
  {
    timeout: 120_000,
  },
  (pair) => rehearse(pair),
);
