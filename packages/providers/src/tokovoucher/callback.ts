import type { CallbackReceiver } from '@topup-kit/core/callback';
import type { DeliveryCallback } from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import { acknowledgement, isSameText, parseJson, rejected } from '../http.ts';
import { id } from '../readers.ts';
import { referenceSignature } from './signature.ts';

const webhook = z.object({ ref_id: id });

/** Receives Tokovoucher's webhooks. Their signature covers only the reference, so a webhook only says which purchase to look up. */
export function createTokovoucherCallbacks(
  memberCode: string,
  secrets: readonly string[],
): CallbackReceiver<DeliveryCallback> {
  return {
    read({ headers, body }) {
      const signature = headers['x-tokovoucher-authorization'];
      if (signature === undefined) return rejected(401, 'X-TokoVoucher-Authorization is missing.');
      const { success, data: message } = webhook.safeParse(parseJson(body));
      if (!success) return rejected(400, 'The body names no purchase of Tokovoucher.');
      const { ref_id: reference } = message;
      const isSignedBy = (secret: string): boolean =>
        isSameText(signature, referenceSignature({ memberCode, secret }, reference));
      if (!secrets.some(isSignedBy))
        return rejected(401, 'X-TokoVoucher-Authorization does not match the reference in the body.');
      return { state: 'event', event: { reference, supplierId: null, result: null } };
    },
    respond: acknowledgement('status'),
  };
}
