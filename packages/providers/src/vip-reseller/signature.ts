import { createHash } from 'node:crypto';

/** Returns the `sign` of every request, which is also the header of every webhook: a constant that proves nothing about a body. */
export const constantSignature = (apiId: string, apiKey: string): string =>
  createHash('md5').update(`${apiId}${apiKey}`).digest('hex');
