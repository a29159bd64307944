import type { CallbackReceiver } from '@topup-kit/core/callback';
import type { DeliveryCallback } from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import { acknowledgement, isSameText, type ProviderHttp, parseJson, rejected } from '../http.ts';
import { webhookSignature } from './signature.ts';
import { resultOf, transactionSchema } from './transaction.ts';

const webhook = z.object({
  data: z.extend(transactionSchema, { ref_id: z.string().check(z.minLength(1), z.maxLength(255)) }),
});

/** Body of Digiflazz's test of the callback URL. Its `hook` contains the secret. */
const ping = z.object({ sed: z.string(), hook_id: z.unknown(), data: z.optional(z.undefined()) });

/** Receives Digiflazz's webhooks. Only the body counts, because their headers are not signed. */
export function createDigiflazzCallbacks(
  secrets: readonly string[],
  http: ProviderHttp,
): CallbackReceiver<DeliveryCallback> {
  return {
    secrets,
    read({ headers, body }) {
      const json = parseJson(body);
      // The documentation doesn't say whether a ping is signed. It needs no proof, because it changes nothing.
      if (ping.safeParse(json).success) return { state: 'ignored', reason: 'a ping of Digiflazz' };
      const signature = headers['x-hub-signature'];
      if (signature === undefined)
        return rejected(401, 'X-Hub-Signature is missing: set the secret of the webhook at Digiflazz.');
      if (!secrets.some((secret) => isSameText(signature, webhookSignature(secret, body))))
        return rejected(401, 'X-Hub-Signature does not match the body: compare the secret at Digiflazz.');
      const { success, data: message } = webhook.safeParse(json);
      if (!success) return rejected(400, 'The body is not a Digiflazz transaction.');
      const { data } = message;
      // An unclear result is looked up when a look-up is due, because an earlier request may buy a second time.
      const result = resultOf(data, 'webhook', http) ?? { state: 'pending' };
      return { state: 'event', event: { reference: data.ref_id, supplierId: null, result } };
    },
    respond: acknowledgement('success'),
  };
}
