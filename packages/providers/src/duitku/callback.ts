import type { CallbackReceiver, CallbackRequest, ParsedCallback } from '@topup-kit/core/callback';
import type { PaymentCallback } from '@topup-kit/core/gateway';
import * as z from 'zod/mini';
import { isSameText, rejected } from '../http.ts';
import { id, whole } from '../readers.ts';
import { callbackSignature } from './signature.ts';

const text = z.string().check(z.minLength(1));

/** Signed fields, as sent. */
const signed = z.object({ merchantCode: text, amount: text, merchantOrderId: text, signature: text });

const callback = z.object({ amount: whole, reference: id, resultCode: z.enum(['00', '01']) });

const fieldsOf = (body: Uint8Array): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)));

/**
 * Receives Duitku's callbacks, which are forms. Their signature covers neither the result nor the reference, so a status request must
 * confirm each callback.
 */
export function createDuitkuCallbacks({
  apiKeys,
  merchantCode,
}: {
  /** Current key, and during a rotation also the previous key. */
  apiKeys: readonly string[];
  merchantCode: string;
}): CallbackReceiver<PaymentCallback> {
  return {
    read({ body }: CallbackRequest): ParsedCallback<PaymentCallback> {
      const sent = fieldsOf(body);
      const invalid = ({ issues }: z.core.$ZodError) =>
        rejected(400, `The body has no valid ${issues[0]?.path.join('.') || 'form'}.`);
      const fields = signed.safeParse(sent);
      if (!fields.success) return invalid(fields.error);
      const { merchantOrderId: orderId, signature } = fields.data;
      const isSignedBy = (apiKey: string): boolean =>
        isSameText(
          signature,
          callbackSignature(apiKey, { merchantCode, orderId, amount: fields.data.amount }),
        );
      if (fields.data.merchantCode !== merchantCode)
        return rejected(401, "merchantCode is not this shop's code.");
      if (!apiKeys.some(isSignedBy)) return rejected(401, 'signature does not match the form.');
      const { success, data, error } = callback.safeParse(sent);
      if (!success) return invalid(error);
      const status = data.resultCode === '00' ? 'paid' : 'failed';
      const report = { status, amount: data.amount, at: null } as const;
      return { state: 'event', event: { reference: data.reference, orderId, report, confirm: true } };
    },

    /** Responds with 200 for another shop's order, because a repetition would not change the outcome. */
    respond(outcome, status = 400) {
      const failed = (code: number, message: string) => ({ status: code, body: { success: false, message } });
      if (outcome === 'rejected') return failed(status, 'The callback was rejected.');
      if (outcome === 'failed') return failed(503, 'Not now; send it again.');
      return { status: 200, body: { success: true } };
    },
  };
}
