import * as z from 'zod/mini';
import type { Payment } from '../store/index.ts';

const reference = z.string().check(z.minLength(1), z.maxLength(255));
const text = z._default(z.nullable(z.string().check(z.minLength(1))), null);

const payment = z.object({
  reference,
  code: text,
  url: z._default(z.nullable(z.url({ protocol: /^https?$/ })), null),
  qrString: text,
});

const found = z.discriminatedUnion('state', [
  z.object({ state: z.literal('found'), payment: z.unknown() }),
  z.object({ state: z.literal('absent') }),
]);

/** A result that can't be used. */
interface UnreadablePayment {
  state: 'unreadable';
  /** Which field is wrong. */
  error: Error;
  /** The reference of the payment, if at least that is readable. */
  reference: string | null;
}

type ReadPayment = { state: 'found'; payment: Payment } | UnreadablePayment;

/** Names the field but not its value, which may be secret. */
function unreadable(value: unknown, { issues }: z.core.$ZodError, call: string): UnreadablePayment {
  const place = ['result', ...(issues[0]?.path ?? [])].join('.');
  const known = z.object({ reference }).safeParse(value);
  return {
    state: 'unreadable',
    error: new TypeError(
      `The gateway's ${call} returned an invalid ${place}: see its type in @topup-kit/server.`,
    ),
    reference: known.success ? known.data.reference : null,
  };
}

/** Checks the payment that an adapter returned, because no type checks it when the program runs. */
export function readPayment(value: unknown, call = 'createPayment'): ReadPayment {
  const parsed = payment.safeParse(value);
  return parsed.success ? { state: 'found', payment: parsed.data } : unreadable(value, parsed.error, call);
}

/** Like {@link readPayment}, for the result of `findPayment`. */
export function readFoundPayment(value: unknown): ReadPayment | { state: 'absent' } {
  const parsed = found.safeParse(value);
  if (!parsed.success) return unreadable(value, parsed.error, 'findPayment');
  return parsed.data.state === 'absent'
    ? { state: 'absent' }
    : readPayment(parsed.data.payment, 'findPayment');
}
