import { createHash, createHmac } from 'node:crypto';

/** Text that a request for the price list signs in addition to user name and key, instead of a `ref_id`. */
export const priceListSubject = 'pricelist';
export const balanceSubject = 'depo';

/** Returns the `sign` of a request. */
export const requestSignature = (username: string, apiKey: string, subject: string): string =>
  createHash('md5').update(`${username}${apiKey}${subject}`).digest('hex');

/** Returns the value of `X-Hub-Signature` for a webhook, which signs the exact bytes of the body. */
export const webhookSignature = (secret: string, rawBody: string | Uint8Array): string =>
  `sha1=${createHmac('sha1', secret).update(rawBody).digest('hex')}`;
