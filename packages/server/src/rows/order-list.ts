import { type BuyStatus, buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { OrderFilter, OrderState } from '@topup-kit/core/store';

// In an index, the orders of one state are together, newest first. A list of several states is merged from the newest orders of each,
// so that it reads no more of a million orders than it shows, and a few of each state.

/** The states that a filter lets through. */
export const statesOf = ({ paymentStatus, buyStatus }: OrderFilter): OrderState[] =>
  paymentStatuses
    .filter((one) => paymentStatus === undefined || one === paymentStatus)
    .flatMap((paid) =>
      buyStatuses
        .filter((one) => buyStatus === undefined || one === buyStatus)
        .map((bought) => ({ paymentStatus: paid, buyStatus: bought })),
    );

/** Released migrations name the same. */
const doneStatuses: readonly BuyStatus[] = ['Sukses', 'Gagal', 'Batal'];

/** Whether an order is in the indexes of what is done, and not in that of what is in progress. */
export const isDone = (buyStatus: BuyStatus): boolean => doneStatuses.includes(buyStatus);
