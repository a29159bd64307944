import { it } from 'vitest';
import { duitkuAndTokovoucher, midtransAndVipReseller, rehearse } from './helpers/rehearse-going-live.ts';

it.each([midtransAndVipReseller, duitkuAndTokovoucher])(
  'completes the rehearsal of docs/going-live.md: $gateway and $supplier',
  {
    timeout: 120_000,
  },
  (pair) => rehearse(pair),
);
