/** Money that came in but could not be matched: an operator settles the order with it, or notes it as returned. */
export interface Reconciliation {
  reconciliationId: string;
  orderId: string;
  /** The gateway's payment reference. */
  reference: string;
  /** Integer in the smallest unit. */
  amount: number;
  /** Unix milliseconds of world time. */
  paidAt: number;
  noticedAt: number;
  /** `late`: paid after the expiry; `amount`: not the order's total; `closed`: paid again, or after it failed. */
  reason: 'late' | 'amount' | 'closed';
  state: 'open' | 'settled' | 'returned';
  /** What the operator noted. */
  note: string | null;
}
