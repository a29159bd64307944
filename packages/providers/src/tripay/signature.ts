import { createHmac } from 'node:crypto';

/** HMAC-SHA256 in hex. */
const sign = (privateKey: string, text: string | Uint8Array): string =>
  createHmac('sha256', privateKey).update(text).digest('hex');

export const requestSignature = (
  privateKey: string,
  { merchantCode, merchantRef, amount }: { merchantCode: string; merchantRef: string; amount: number },
): string => sign(privateKey, `${merchantCode}${merchantRef}${amount}`);

/** The signature of a callback: of its body as it was sent, byte for byte. */
export const callbackSignature = (privateKey: string, rawBody: string | Uint8Array): string =>
  sign(privateKey, rawBody);
