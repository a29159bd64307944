import type { CallbackReceiver, CallbackRequest, ParsedCallback } from '@topup-kit/core/callback';
import type { PaymentCallback } from '@topup-kit/core/gateway';
import * as z from 'zod/mini';
import { isSameText, parseJson, rejected } from '../http.ts';
import { id, whole } from '../readers.ts';
import { callbackSignature } from './signature.ts';
import { reportOf, transactionState } from './transaction.ts';

const callback = z.object({
  ...transactionState,
  reference: id,
  merchant_ref: z.nullish(z.string()),
  /** Amount that the customer pays, including fees. */
  total_amount: whole,
});

/** Schema of the test from Tripay's dashboard. It has no order, whereas every payment of this kit names its order. */
const test = z.object({ merchant_ref: z.nullish(z.literal('')), reference: z.unknown(), note: z.unknown() });

const isTest = (sent: unknown): boolean => {
  const { success, data } = test.safeParse(sent);
  return success && (!data.reference || (typeof data.note === 'string' && /\btest\b/i.test(data.note)));
};

/**
 * Receives Tripay's callbacks. `total_amount` is used unchanged: if a customer paid additional fees, the amount differs from the order's,
 * and an operator decides.
 */
export function createTripayCallbacks(privateKeys: readonly string[]): CallbackReceiver<PaymentCallback> {
  return {
    read({ headers, body }: CallbackRequest): ParsedCallback<PaymentCallback> {
      const signature = headers['x-callback-signature'];
      if (signature === undefined) return rejected(401, 'X-Callback-Signature is missing.');
      if (!privateKeys.some((key) => isSameText(signature, callbackSignature(key, body))))
        return rejected(401, 'X-Callback-Signature does not match the body.');
      if (headers['x-callback-event'] !== 'payment_status')
        return rejected(400, 'X-Callback-Event is not payment_status.');
      const sent = parseJson(body);
      if (isTest(sent)) return { state: 'ignored', reason: "It is a test from Tripay's dashboard." };
      const { success, data, error } = callback.safeParse(sent);
      if (!success)
        return rejected(400, `The body has no valid ${error.issues[0]?.path.join('.') || 'JSON object'}.`);
      const { merchant_ref, status, total_amount, paid_at: paidAt, total_fee: fee } = data;
      return {
        state: 'event',
        event: {
          reference: data.reference,
          orderId: merchant_ref || null,
          report: reportOf({ status, amount: total_amount, paidAt, fee }),
          confirm: false,
        },
      };
    },

    /** After any response other than 200 and `success`, Tripay repeats the callback twice. */
    respond(outcome, status = 400) {
      const failed = (code: number, message: string) => ({ status: code, body: { success: false, message } });
      if (outcome === 'rejected') return failed(status, 'The callback was rejected.');
      if (outcome === 'unmatched') return failed(404, 'No such order.');
      if (outcome === 'failed') return failed(503, 'Not now; send it again.');
      return { status: 200, body: { success: true } };
    },
  };
}
