import type { CallbackReceiver } from '@topup-kit/core/callback';
import type { DeliveryCallback } from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import { acknowledgement, isSameText, parseJson, rejected } from '../http.ts';
import { id } from '../readers.ts';

const order = z.object({ trxid: id });
/** Schema of a webhook's body, which is not documented: one or several orders, at the top level or as `data`. */
const orders = z.union([order, z.array(order).check(z.minLength(1))]);
const webhook = z.union([z.object({ data: orders }), orders]);

/** Receives VIP Reseller's webhooks. Their signature is constant and proves nothing, so a webhook only says which order to look up. */
export function createVipResellerCallbacks(
  constantSigns: readonly string[],
): CallbackReceiver<DeliveryCallback> {
  return {
    secrets: constantSigns,
    read({ headers, body }) {
      const signature = headers['x-client-signature'];
      if (signature === undefined) return rejected(401, 'X-Client-Signature is missing.');
      if (!constantSigns.some((sign) => isSameText(signature, sign)))
        return rejected(401, 'X-Client-Signature does not match this account at VIP Reseller.');
      const { success, data: message } = webhook.safeParse(parseJson(body));
      if (!success) return rejected(400, 'The body names no order of VIP Reseller.');
      const [first] = ['data' in message ? message.data : message].flat();
      return first
        ? { state: 'event', event: { reference: null, supplierId: first.trxid, result: null } }
        : rejected(400, 'The body names no order of VIP Reseller.');
    },
    respond: acknowledgement('result'),
  };
}
