import { createHash } from 'node:crypto';

/**
 * Returns the signature of a request about a purchase, which is also the header of its webhooks. It covers only the reference, and proves
 * nothing about a body.
 */
export const referenceSignature = (
  { memberCode, secret }: { memberCode: string; secret: string },
  reference: string,
): string => createHash('md5').update(`${memberCode}:${secret}:${reference}`).digest('hex');
