import { cleanText, isPhone, normalPhone } from '@topup-kit/core/contract';
import type { CustomerOrder, KeptBecause } from '@topup-kit/core/engine';
import { usageError } from '../../errors/cli-error.ts';
import type { OperatorStore } from '../../store/open.ts';

export const phoneOption = ['--phone <number>', "the customer's phone number, in any notation"] as const;

export interface Customer {
  /** Phone number in its normal form. */
  phone: string;
  orders: CustomerOrder[];
  /** Ids of callbacks without an order that contain the number. */
  strayCallbacks: string[];
}

const keptWords: Record<KeptBecause, string> = {
  open: 'it is not finished',
  late: 'it expired a short time ago, and its payment may still arrive',
  owed: 'its delivery failed, and it is not refunded yet',
  refund: 'a refund for it is still to be paid',
  reconcile: 'an operator must settle or return a payment for it',
  contradicted: 'its supplier contradicted itself, and an operator must check the outcome',
};

/** Formats a line for each order that can't be erased yet. */
export const keptLines = (orders: readonly CustomerOrder[]): string[] =>
  orders.flatMap(({ order, kept }) => (kept === null ? [] : [`  ${order.orderId}: ${keptWords[kept]}`]));

export async function readCustomer(
  { store, deps }: OperatorStore,
  given: string | undefined,
): Promise<Customer> {
  const text = cleanText(given ?? '', 'phone');
  const phone = normalPhone(text);
  // A partial number would also match callbacks of other customers.
  if (phone === null || !isPhone(text))
    throw usageError(
      given === undefined
        ? "--phone is missing: give the customer's phone number."
        : `--phone takes a phone number, such as 081234567890, not ${JSON.stringify(given)}.`,
    );
  const { findCustomerOrders } = await import('@topup-kit/core/engine');
  const { phoneCore } = await import('@topup-kit/core/store');
  const { findStrayMessages } = await import('@topup-kit/server/internal');
  return {
    phone,
    orders: await findCustomerOrders(deps, phone),
    strayCallbacks: await findStrayMessages(store, phoneCore(phone)),
  };
}
