import type { StoredOrder } from '@topup-kit/core/store';
import { order } from '../../packages/suites/src/store/fixtures.ts';

/** Returns the n-th order of a store. */
export const orderNumber = (number: number): StoredOrder =>
  order({
    orderId: `INV-${number}`,
    createdAt: order().createdAt + number,
    payment: { ...order().payment, reference: `ref-${number}` },
  });
