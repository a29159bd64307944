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

/** A rejection. It is strict, because a result that has a reference, too, may have created a payment. */
const rejected = z.strictObject({ rejected: z.string() });

const foundPayment = z.discriminatedUnion('state', [
  z.object({ state: z.literal('found'), payment: z.unknown() }),
  z.object({ state: z.literal('absent') }),
]);

/** An unusable result. */
interface UnreadablePayment {
  state: 'unreadable';
  /** The invalid field, or the adapter's reason. */
  error: Error;
  /** The payment's reference, if it is readable. */
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

/** Fields with which a customer can pay; one of them is enough. Payment pages always show them. */
const payableBy: Record<PaymentCodeKind, readonly ('code' | 'url' | 'qrString')[]> = {
  'qr-text': ['qrString', 'url'],
  'virtual-account-number': ['code', 'url'],
  'shop-code': ['code', 'url'],
  'bank-account-number': ['code', 'url'],
  // Some wallets use a QR code.
  'page-url': ['url', 'qrString'],
};

type Method = Pick<PaymentRequest['method'], 'group'>;

const has = (value: unknown, field: string): boolean =>
  typeof value === 'object' && value !== null && field in value;

/** Checks a payment from an adapter at runtime. */
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
    `The gateway's ${call} returned a payment that can't be paid: a payment of ${group} needs ${fields.join(' or ')}.`,
  );
  return { state: 'unreadable', error, reference: parsed.data.reference };
}

/** Checks a result of `createPayment`, which may be a rejection, like {@link readPayment}. */
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

/** Checks a result of `findPayment`, like {@link readPayment}. */
export function readFoundPayment(value: unknown, method: Method): ReadPayment | { state: 'absent' } {
  const parsed = foundPayment.safeParse(value);
  if (!parsed.success) return unreadable(value, parsed.error, 'findPayment');
  return parsed.data.state === 'absent'
    ? { state: 'absent' }
    : readPayment(parsed.data.payment, method, 'findPayment');
}
