import { createHmac } from 'node:crypto';

/** Returns an HMAC-SHA256 in hex. */
const sign = (privateKey: string, text: string | Uint8Array): string =>
  createHmac('sha256', privateKey).update(text).digest('hex');

export const requestSignature = (
  privateKey: string,
  { merchantCode, merchantRef, amount }: { merchantCode: string; merchantRef: string; amount: number },
): string => sign(privateKey, `${merchantCode}${merchantRef}${amount}`);

/** Returns a callback's signature, which covers the exact bytes of its body. */
export const callbackSignature = (privateKey: string, rawBody: string | Uint8Array): string =>
  sign(privateKey, rawBody);
