import type { PaymentState } from '@topup-kit/sdk';
import type { Words } from '../texts/id.ts';

/** What an order's two states mean to whoever ordered. */
export type Face = keyof Words['faces'];

const ofPaid: Record<string, Face> = {
  Pending: 'processing',
  Proses: 'processing',
  Sukses: 'delivered',
  Gagal: 'undelivered',
  Batal: 'cancelled',
};

const ofUnpaid: Record<string, Face> = {
  Pending: 'waiting',
  Batal: 'cancelled',
};

const ofEnded: Record<string, Face> = {
  EXPIRED: 'expired',
  FAILED: 'failed',
  REFUND: 'refunded',
};

/** An order's two states, as the service tells them. */
export type States = Pick<PaymentState, 'payment_status' | 'buy_status'>;

/** Services may have states that nobody here knows. */
export function faceOf({ payment_status, buy_status }: States): Face {
  if (payment_status === 'UNPAID') return ofUnpaid[buy_status] ?? 'unknown';
  return (payment_status === 'PAID' ? ofPaid[buy_status] : ofEnded[payment_status]) ?? 'unknown';
}

/** How many of the steps placed, paid, processing, delivered an order has taken. */
export const stepsTaken: Record<Face, number> = {
  waiting: 1,
  processing: 3,
  delivered: 4,
  undelivered: 3,
  failed: 1,
  expired: 1,
  cancelled: 1,
  refunded: 1,
  unknown: 1,
};

export const tones: Record<Face, 'wait' | 'busy' | 'good' | 'bad' | 'spent'> = {
  waiting: 'wait',
  processing: 'busy',
  delivered: 'good',
  undelivered: 'bad',
  failed: 'bad',
  expired: 'spent',
  cancelled: 'spent',
  refunded: 'spent',
  unknown: 'busy',
};
