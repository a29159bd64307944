import { createHash, createHmac } from 'node:crypto';

/** The part that a request signs in addition to user name and key: its `ref_id`, or a word. */
export const priceListSubject = 'pricelist';
export const balanceSubject = 'depo';

/** The `sign` of a request. */
export const requestSignature = (username: string, apiKey: string, subject: string): string =>
  createHash('md5').update(`${username}${apiKey}${subject}`).digest('hex');

/** The value of `X-Hub-Signature` for a webhook: it signs the exact bytes of the body. */
export const webhookSignature = (secret: string, rawBody: string | Uint8Array): string =>
  `sha1=${createHmac('sha1', secret).update(rawBody).digest('hex')}`;
