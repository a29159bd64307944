import type { BuyStatus, PaymentStatus } from '@topup-kit/core/contract';
import type { OrderState } from '@topup-kit/core/store';

/** The few things that an order's two states mean to the customer who looks at its page. */
export type Face =
  | 'waiting'
  | 'processing'
  | 'delivered'
  | 'undelivered'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'refunded';

const faceOfPaid: Record<BuyStatus, Face> = {
  Pending: 'processing',
  Proses: 'processing',
  Sukses: 'delivered',
  Gagal: 'undelivered',
  Batal: 'cancelled',
};

const faceOfPayment: Record<Exclude<PaymentStatus, 'PAID'>, Face> = {
  UNPAID: 'waiting',
  EXPIRED: 'expired',
  FAILED: 'failed',
  REFUND: 'refunded',
};

export function faceOf({ paymentStatus, buyStatus }: OrderState): Face {
  if (paymentStatus === 'PAID') return faceOfPaid[buyStatus];
  return paymentStatus === 'UNPAID' && buyStatus === 'Batal' ? 'cancelled' : faceOfPayment[paymentStatus];
}

/**
 * How the page watches for a change: all the time while one is near, once when the customer comes back where only an
 * operator or late news could bring one, and never where nothing comes any more.
 */
export type Watch = 'steadily' | 'on-return' | 'never';

export const watchOf: Record<Face, Watch> = {
  waiting: 'steadily',
  processing: 'steadily',
  delivered: 'never',
  undelivered: 'on-return',
  failed: 'on-return',
  expired: 'on-return',
  cancelled: 'on-return',
  refunded: 'never',
};
