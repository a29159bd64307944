import * as z from 'zod/mini';
import { parseResult } from '../callback/index.ts';
import type { ListedPayment, PaymentCallback, PaymentReport } from './gateway.ts';
import { reference } from './results.ts';

const amount = z.int().check(z.nonnegative());

const report = z.discriminatedUnion('status', [
  z.object({ status: z.literal('open') }),
  z.object({
    status: z.enum(['paid', 'failed', 'expired', 'refunded']),
    amount,
    paid: z.optional(amount),
    fee: z.optional(amount),
    at: z.nullable(z.int().check(z.positive())),
  }),
]);

const ofOrder = { reference, orderId: z.nullable(z.string().check(z.minLength(1))), report };
const listed = z.array(z.object(ofOrder));
const callback = z.object({ ...ofOrder, confirm: z.boolean() });

/** Checks a result of `checkPayment`, like {@link parseResult}. */
export const readPaymentReport = (value: unknown): PaymentReport =>
  parseResult(report, value, "gateway's checkPayment");

/** Checks a result of `listPayments`, like {@link parseResult}. */
export const readListedPayments = (value: unknown): ListedPayment[] =>
  parseResult(listed, value, "gateway's listPayments");

/** Checks a parsed callback, like {@link parseResult}. */
export const readPaymentCallback = (value: unknown): PaymentCallback =>
  parseResult(callback, value, "gateway's callbacks.read");
