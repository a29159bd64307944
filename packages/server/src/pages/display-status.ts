import type { BuyStatus, PaymentStatus } from '@topup-kit/core/contract';
import type { OrderState } from '@topup-kit/core/store';
import { html, type Markup, raw } from './html.ts';

/** Status that the customer sees, computed from the payment status and the buy status. */
export type DisplayStatus =
  | 'waiting'
  | 'processing'
  | 'delivered'
  | 'undelivered'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'refunded';

const statusOfPaid: Record<BuyStatus, DisplayStatus> = {
  Pending: 'processing',
  Proses: 'processing',
  Sukses: 'delivered',
  Gagal: 'undelivered',
  Batal: 'cancelled',
};

const statusOfPayment: Record<Exclude<PaymentStatus, 'PAID'>, DisplayStatus> = {
  UNPAID: 'waiting',
  EXPIRED: 'expired',
  FAILED: 'failed',
  REFUND: 'refunded',
};

export function displayStatusOf({ paymentStatus, buyStatus }: OrderState): DisplayStatus {
  if (paymentStatus === 'PAID') return statusOfPaid[buyStatus];
  return paymentStatus === 'UNPAID' && buyStatus === 'Batal' ? 'cancelled' : statusOfPayment[paymentStatus];
}

/**
 * Time when the page checks for a new state: `always` while a change is expected, `on-return` (when the customer returns to the page) if
 * only an operator or a late payment can change the state, and `never` in a final state.
 */
export type Watch = 'always' | 'on-return' | 'never';

export const watchOf: Record<DisplayStatus, Watch> = {
  waiting: 'always',
  processing: 'always',
  delivered: 'never',
  undelivered: 'on-return',
  failed: 'on-return',
  expired: 'on-return',
  cancelled: 'on-return',
  refunded: 'never',
};

const circle = '<circle cx="12" cy="12" r="9"/>';

/** SVG shapes in a 24 by 24 box. Each status has its own shape, so that the icons don't depend on colour. */
const strokes: Record<DisplayStatus, string> = {
  waiting: `${circle}<path d="M12 7v5l3.5 2"/>`,
  processing: '<path class="turns" d="M21 12a9 9 0 1 1-6.2-8.6"/><path d="M12 8v8M9 13l3 3 3-3"/>',
  delivered: `${circle}<path d="m8 12.5 2.8 2.8L16 9.5"/>`,
  undelivered: '<path d="M12 3.5 2.5 20h19L12 3.5ZM12 10v4.5M12 17.2v.1"/>',
  failed: `${circle}<path d="m9 9 6 6M15 9l-6 6"/>`,
  expired: '<path d="M7 3h10M7 21h10M8 3v3.5l4 5.5 4-5.5V3M8 21v-3.5l4-5.5 4 5.5V21"/>',
  cancelled: `${circle}<path d="m6 6 12 12"/>`,
  refunded: '<path d="M9 14 4 9l5-5"/><path d="M4 9h10a6 6 0 0 1 0 12h-3"/>',
};

/** Renders the icon of a status. It is hidden from screen readers, because the text next to it has the same meaning. */
export const statusIcon = (status: DisplayStatus): Markup =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${raw(strokes[status])}</svg>`;
