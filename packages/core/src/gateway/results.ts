import * as z from 'zod/mini';
import { invalidResult } from '../callback/index.ts';
import { type PaymentCodeKind, paymentKinds } from '../contract/index.ts';
import type { Payment } from '../store/index.ts';
import type { PaymentRequest } from './gateway.ts';

/** The reference of a payment. */
export const reference = z.string().check(z.minLength(1), z.maxLength(255));
const text = z._default(z.nullable(z.string().check(z.minLength(1))), null);

const payment = z.object({
  reference,
  code: text,
  url: z._default(z.nullable(z.url({ protocol: /^https?$/ })), null),
  qrString: text,
});

const unusable = z.object({ reference, unusable: z.string() });

/** Strict: a result with a reference beside it may have a payment. */
const rejected = z.strictObject({ rejected: z.string() });

const foundPayment = z.discriminatedUnion('state', [
  z.object({ state: z.literal('found'), payment: z.unknown() }),
  z.object({ state: z.literal('absent') }),
]);

/** A result that can't be used. */
interface UnreadablePayment {
  state: 'unreadable';
  /** Which field is wrong, or why the adapter says that it can't be used. */
  error: Error;
  /** The reference of the payment, if at least that is readable. */
  reference: string | null;
}

type ReadPayment = { state: 'found'; payment: Payment } | UnreadablePayment;

function unreadable(value: unknown, error: z.core.$ZodError, call: string): UnreadablePayment {
  const known = z.object({ reference }).safeParse(value);
  return {
    state: 'unreadable',
    error: invalidResult(error, `gateway's ${call}`),
    reference: known.success ? known.data.reference : null,
  };
}

/** By what a customer can pay: one of these fields of a payment. A page always shows what is needed. */
const payableBy: Record<PaymentCodeKind, readonly ('code' | 'url' | 'qrString')[]> = {
  'qr-text': ['qrString', 'url'],
  'virtual-account-number': ['code', 'url'],
  'shop-code': ['code', 'url'],
  'bank-account-number': ['code', 'url'],
  // Some wallets are paid by a QR code.
  'page-url': ['url', 'qrString'],
};

type Method = Pick<PaymentRequest['method'], 'group'>;

const has = (value: unknown, field: string): boolean =>
  typeof value === 'object' && value !== null && field in value;

/** Checks the payment that an adapter returned, because no type checks it when the program runs. */
export function readPayment(value: unknown, { group }: Method, call = 'createPayment'): ReadPayment {
  const declared = has(value, 'unusable') ? unusable.safeParse(value) : undefined;
  if (declared?.success) {
    const { reference: known, unusable: why } = declared.data;
    const error = new Error(`The gateway's ${call} returned a payment that can't be used: ${why}`);
    return { state: 'unreadable', error, reference: known };
  }
  const parsed = payment.safeParse(value);
  if (!parsed.success) return unreadable(value, parsed.error, call);
  const fields = payableBy[paymentKinds[group].code];
  if (fields.some((field) => parsed.data[field] !== null)) return { state: 'found', payment: parsed.data };
  const error = new Error(
    `The gateway's ${call} returned a payment that nobody can pay: one of ${group} needs ${fields.join(' or ')}.`,
  );
  return { state: 'unreadable', error, reference: parsed.data.reference };
}

/** Like {@link readPayment}, for a `createPayment` that may say that it was rejected. */
export function readCreatedPayment(
  value: unknown,
  method: Method,
): ReadPayment | { state: 'rejected'; error: Error } {
  const declared = has(value, 'rejected') ? rejected.safeParse(value) : undefined;
  if (!declared?.success) return readPayment(value, method);
  return {
    state: 'rejected',
    error: new Error(`The gateway rejected the payment: ${declared.data.rejected}`),
  };
}

/** Like {@link readPayment}, for the result of `findPayment`. */
export function readFoundPayment(value: unknown, method: Method): ReadPayment | { state: 'absent' } {
  const parsed = foundPayment.safeParse(value);
  if (!parsed.success) return unreadable(value, parsed.error, 'findPayment');
  return parsed.data.state === 'absent'
    ? { state: 'absent' }
    : readPayment(parsed.data.payment, method, 'findPayment');
}
