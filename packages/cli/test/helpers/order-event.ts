import type { OrderEvent } from '@topup-kit/sdk';

/** An event of an order, with no more than what this program reads of it. */
export const orderEvent = (
  orderId: string,
  type: OrderEvent['type'] = 'order.paid',
  timestamp = '2026-03-29T02:30:00.000Z',
): OrderEvent =>
  // Safe: the rest of the order is only passed on.
  ({ id: `evt_${orderId}`, type, timestamp, data: { order: { order_id: orderId } } }) as OrderEvent;
