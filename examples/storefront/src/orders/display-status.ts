import type { PaymentState } from '@topup-kit/sdk';
import type { Texts } from '../texts/id.ts';

/** Status of an order that a customer sees: its payment status and its delivery status in one. */
export type DisplayStatus = keyof Texts['statuses'];

const whenPaid: Record<string, DisplayStatus> = {
  Pending: 'processing',
  Proses: 'processing',
  Sukses: 'delivered',
  Gagal: 'undelivered',
  Batal: 'cancelled',
};

const whenUnpaid: Record<string, DisplayStatus> = {
  Pending: 'waiting',
  Batal: 'cancelled',
};

const byPaymentStatus: Record<string, DisplayStatus> = {
  EXPIRED: 'expired',
  FAILED: 'failed',
  REFUND: 'refunded',
};

/** Payment status and delivery status as the service reports them. */
export type OrderStates = Pick<PaymentState, 'payment_status' | 'buy_status'>;

/** Returns the status to show; `unknown` for a status that isn't in the interface, because some services have their own. */
export function displayStatusOf({ payment_status, buy_status }: OrderStates): DisplayStatus {
  if (payment_status === 'UNPAID') return whenUnpaid[buy_status] ?? 'unknown';
  return (payment_status === 'PAID' ? whenPaid[buy_status] : byPaymentStatus[payment_status]) ?? 'unknown';
}

/** Number of completed steps among placed, paid, processing and delivered. */
export const completedSteps: Record<DisplayStatus, number> = {
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

export const tones: Record<DisplayStatus, 'wait' | 'busy' | 'good' | 'bad' | 'ended'> = {
  waiting: 'wait',
  processing: 'busy',
  delivered: 'good',
  undelivered: 'bad',
  failed: 'bad',
  expired: 'ended',
  cancelled: 'ended',
  refunded: 'ended',
  unknown: 'busy',
};
