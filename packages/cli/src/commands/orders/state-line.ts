import type { StoredOrder } from '@topup-kit/core/store';

/** The state of an order on one line. */
export const stateLine = ({ orderId, paymentStatus, buyStatus }: StoredOrder): string =>
  `${orderId} is ${paymentStatus} / ${buyStatus}.\n`;
