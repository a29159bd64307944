import type { CallbackReceiver, CallbackRequest, ParsedCallback } from '@topup-kit/core/callback';
import type { PaymentCallback } from '@topup-kit/core/gateway';
import * as z from 'zod/mini';
import { isSameText, parseJson, rejected } from '../http.ts';
import { notificationSignature } from './signature.ts';
import { paymentState, reportOf, withoutImposedFee } from './status.ts';

/** Signed fields, as sent. */
const signed = z.object({
  order_id: z.string(),
  status_code: z.string(),
  gross_amount: z.string(),
  signature_key: z._default(z.string(), ''),
});

const notification = z.object(paymentState);

/** Prefix of order ids in tests from Midtrans's dashboard. A test has no payment, and expects the status 200. */
const testPrefix = 'payment_notif_test_';

/**
 * Receives Midtrans's notifications. Their signature covers neither the status nor the transaction, and they may arrive out of order, so a
 * status request must confirm each notification.
 */
export function createMidtransCallbacks(signatureKeys: readonly string[]): CallbackReceiver<PaymentCallback> {
  return {
    read({ body }: CallbackRequest): ParsedCallback<PaymentCallback> {
      const sent = parseJson(body);
      const invalid = ({ issues }: z.core.$ZodError) =>
        rejected(400, `The body has no valid ${issues[0]?.path.join('.') || 'JSON object'}.`);
      const fields = signed.safeParse(sent);
      if (!fields.success) return invalid(fields.error);
      const { order_id: orderId, status_code: statusCode, gross_amount: amount, signature_key } = fields.data;
      const isSignedBy = (key: string): boolean =>
        isSameText(signature_key, notificationSignature(key, { orderId, statusCode, grossAmount: amount }));
      if (!signatureKeys.some(isSignedBy)) return rejected(401, 'signature_key does not match the body.');
      if (orderId.startsWith(testPrefix))
        return { state: 'ignored', reason: "It is a test from Midtrans's dashboard." };
      const { success, data, error } = notification.safeParse(sent);
      if (!success) return invalid(error);
      // Only the result of the status request counts.
      const report = reportOf(withoutImposedFee(sent, data)) ?? { status: 'open' };
      const event = { reference: data.transaction_id, orderId, report, confirm: true } as const;
      return { state: 'event', event };
    },

    /**
     * Midtrans repeats a notification twice after 400 and 404, and four times after 503. The response for another shop's order is 200,
     * because a repetition would not change the outcome.
     */
    respond(outcome, status = 400) {
      const failed = (code: number, message: string) => ({ status: code, body: { success: false, message } });
      if (outcome === 'rejected') return failed(status, 'The notification was rejected.');
      if (outcome === 'failed') return failed(503, 'Not now; send it again.');
      return { status: 200, body: { success: true } };
    },
  };
}
