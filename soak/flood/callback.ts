import { callbackSignature } from '../../packages/providers/src/tripay/signature.ts';
import { rawRequest } from '../load/load.ts';

/** Key of the shop; it is long, because other machines may send it. */
export const apiKey = 'the-key-of-the-shop-in-a-flood';

/** Key for the gateway's signatures. */
export const privateKey = 'a-private-key-of-the-gateway';

/** Creates a whole request with a callback of the gateway; `address` is its sender behind a proxy on this machine. */
function callbackRequest(body: string, signature: string, address: string): string {
  const headers = {
    'X-Callback-Event': 'payment_status',
    'X-Callback-Signature': signature,
    'X-Forwarded-For': address,
  };
  return rawRequest('POST', '/callback/tripay', { headers, body });
}

const payment = (orderId: string, amount: number, more: object = {}): string =>
  JSON.stringify({
    reference: `T-${orderId}`,
    merchant_ref: orderId,
    total_amount: amount,
    status: 'PAID',
    is_closed_payment: 1,
    paid_at: Math.floor(Date.now() / 1_000),
    ...more,
  });

/** Creates the callback with which the gateway reports that an order was paid. */
export function genuineCallback(orderId: string, amount: number, address: string): string {
  const body = payment(orderId, amount);
  return callbackRequest(body, callbackSignature(privateKey, body), address);
}

/** Creates a callback by a sender who doesn't know the key, of about this many bytes. */
export function forgedCallback(index: number, bytes: number, address: string): string {
  const body = payment(`INV-20260101000000-${index}`, 10_000, {
    note: 'x'.repeat(Math.max(0, bytes - 200)),
  });
  return callbackRequest(body, callbackSignature(`${privateKey}?`, body), address);
}
